// Results: running a scenario, and its samples as arrays that share their memory.
#include <cstdint>
#include <string>

#include "analysis/claim.hpp"
#include "analysis/observation.hpp"
#include "analysis/report_text.hpp"
#include "analysis/until.hpp"
#include "python-bindings/arrays.hpp"
#include "python-bindings/bindings.hpp"
#include "system/json_print.hpp"

namespace vecusim::bindings {

namespace {

/// None where there are too many samples for each to be kept.
py::object samples_ps(const py::object& self, std::size_t interrupt) {
  const Samples& samples = self.cast<const Observation&>().tally.latency.at(interrupt).samples;
  if (!samples.exact()) return py::none();
  return view(integers(samples.values().data()), samples.values().size(), sizeof(Duration), self);
}

/// (from_ps, below_ps, n)
py::tuple histogram(const py::object& self, std::size_t interrupt) {
  const std::vector<Bin>& bins = self.cast<const Observation&>().result.latency.at(interrupt).histogram;
  static const Bin kNone{};
  const Bin& first = bins.empty() ? kNone : bins.front();
  return py::make_tuple(view(integers(&first.from), bins.size(), sizeof(Bin), self),
                        view(integers(&first.below), bins.size(), sizeof(Bin), self),
                        view(&first.n, bins.size(), sizeof(Bin), self));
}

Observation run(const LoadedScenario& loaded, std::optional<std::uint64_t> seed, std::optional<std::uint64_t> reps,
                unsigned jobs, const py::object& progress) {
  Observation observed;
  watch(progress, jobs,
        [&](const Parallel& parallel) { observed = observe(loaded, options_of(seed, reps, parallel)); });
  return observed;
}

/// With whether the claim was met, and what each look has seen.
py::tuple run_until_claim(const LoadedScenario& loaded, const std::string& text, std::optional<std::uint64_t> seed,
                          std::optional<std::uint64_t> reps, unsigned jobs, const py::object& progress) {
  const Claim claim = stop_rule(text, "until");
  UntilResult until;
  watch(progress, jobs, [&](const Parallel& parallel) {
    until = run_until(loaded, options_of(seed, reps, parallel), claim, kMostLooked);
  });
  return py::make_tuple(std::move(until.observed), until.met, until.explanation);
}

}  // namespace

void bind_results(py::module_& module) {
  py::class_<Observation>(module, "Result")
      .def("json", [](const Observation& observed) { return json::pretty(to_json(observed.result)); })
      .def(
          "text", [](const Observation& observed, bool plots) { return to_text(observed.result, false, plots); },
          py::arg("plots"))
      .def("columns",
           [](const Observation& observed) {
             json::Node columns = json::Node::object();
             for (Column& column : to_columns(observed.result)) columns.set(column.path, std::move(column.value));
             return to_python(columns);
           })
      .def("requirements_met", [](const Observation& observed) { return requirements_met(observed.result); })
      .def("samples_ps", &samples_ps, py::arg("interrupt"))
      .def("histogram", &histogram, py::arg("interrupt"))
      .def(py::pickle([](Observation& observed) { return py::bytes(to_bytes(observed)); },
                      [](const py::bytes& state) { return observation_of(std::string(state)); }));
  module.def("run", &run, py::arg("scenario"), py::arg("seed"), py::arg("reps"), py::arg("jobs"), py::arg("progress"));
  module.def("run_until", &run_until_claim, py::arg("scenario"), py::arg("claim"), py::arg("seed"), py::arg("reps"),
             py::arg("jobs"), py::arg("progress"));
}

}  // namespace vecusim::bindings
