// What a checker finds in a scenario, before it is known where in the file that stands.
#include "system/findings.hpp"

#include <iterator>

#include "system/json_pointer.hpp"
#include "system/json_print.hpp"

namespace vecusim {

void Findings::error(std::string pointer, std::string expected, std::string found, std::string suggestion) {
  found_.push_back({.place = {},
                    .pointer = std::move(pointer),
                    .expected = std::move(expected),
                    .found = std::move(found),
                    .suggestion = std::move(suggestion)});
}

void Findings::warn(std::string pointer, std::string rule, std::string expected, std::string found) {
  found_.push_back({.place = {},
                    .pointer = std::move(pointer),
                    .expected = std::move(expected),
                    .found = std::move(found),
                    .suggestion = {},
                    .severity = Severity::warning,
                    .rule = std::move(rule)});
}

void Findings::refuse(bool set, const std::string& pointer, const std::string& key, const std::string& expected) {
  if (set) error(json::child(pointer, key), expected, json::quoted(key));
}

void Findings::refuse_scheduling(const DomainConfig& domain, const std::string& pointer, const std::string& expected) {
  refuse(!domain.pool.empty(), pointer, "pool", expected);
  refuse(domain.weight.has_value(), pointer, "weight", expected);
  refuse(domain.cap_pct.has_value(), pointer, "cap_pct", expected);
  refuse(!domain.soft_affinity.empty(), pointer, "soft_affinity", expected);
  refuse(domain.budget.has_value(), pointer, "budget_us", expected);
  refuse(domain.period.has_value(), pointer, "period_us", expected);
  refuse(domain.extratime.has_value(), pointer, "extratime", expected);
}

void Findings::append(std::vector<Problem> others) {
  found_.insert(found_.end(), std::move_iterator(others.begin()), std::move_iterator(others.end()));
}

}  // namespace vecusim
