// The fields of a figure.
#include "analysis/case_figure.hpp"

#include <array>

namespace vecusim {

namespace {

constexpr std::array kRoles = {Option{"fit", "a number of the row, or of its own argument, went into a parameter"},
                               Option{"predicted", "nothing of the row went into a parameter"}};
constexpr std::array kVerdicts = {Option{"pass", "every judged statistic is inside"},
                                  Option{"fail", "some judged statistic is not"},
                                  Option{"infeasible data", "the printed figures contradict each other"}};

}  // namespace

std::span<const Option> roles() { return kRoles; }
std::span<const Option> verdicts() { return kVerdicts; }

void CaseRegion::fields(FieldVisitor& visit) {
  visit.texts({"costs", "costs of the scenario whose names begin so are drawn from their ranges", true}, costs);
  visit.texts({"conditions", "PTR=VALUES, as of --vary: what the source does not say, one of the values each"},
              conditions);
  visit.integer({"draws", "points of the box"}, draws, {2, 10000});
}

void CaseFigure::fields(FieldVisitor& visit) {
  visit.text({"name", "the row's name in the outcome", true}, name);
  visit.text({"number", "which number of a result, by its path, as load.dom0.pcpu_pct", true}, number);
  visit.text({"scenario", "what predicts it: a preset, or a file (*.json) relative to the case's folder", true},
             scenario);
  const Field divisor{"over", "preset or file whose number it is divided by; absent: the number itself"};
  visit.optional(divisor, over, [&](std::string& value) { visit.text(divisor, value); });
  visit.texts({"set", "PTR=VALUE: values replaced in both scenarios"}, set);
  visit.number({"measured", "what the source says", true}, measured, at_least(1e-9));
  visit.number({"mark", "the largest relative error, |predicted / measured - 1|", true}, mark, {0.0, 1e6});
  visit.choice({"role", "whether the row's own numbers went into the model"}, role, kRoles);
  visit.choice({"expect", "the verdict that counts as passed"}, expect, kVerdicts);
  visit.texts({"perturbation", "PTR=VALUE on top of `set`: under it the verdict must be \"fail\""}, perturbation);
  visit.texts({"fitted", "the parameters that were chosen for this measurement, each with its value"}, fitted);
  const Field box{"region", "for which part of what is not known the prediction is within the mark"};
  visit.optional(box, region, [&](CaseRegion& value) { visit.object(box, value); });
  visit.text({"note", "a remark"}, note);
  visit.require(!name.empty(), "name", "not empty");
  visit.require(expect == RowVerdict::fail || !perturbation.empty(), "perturbation",
                "at least one: a row that nothing can fail says nothing");
  visit.require(fitted.empty() || role == Role::fit, "fitted", "none, or the role \"fit\"");
}

}  // namespace vecusim
