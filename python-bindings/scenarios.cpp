// Scenarios: loading and checking them.
#include "analysis/scenario_bytes.hpp"
#include "python-bindings/bindings.hpp"
#include "system/all_problems.hpp"
#include "system/json_fields.hpp"
#include "system/json_print.hpp"
#include "system/scenario_text.hpp"

namespace vecusim::bindings {

namespace {

using Released = py::call_guard<py::gil_scoped_release>;

}  // namespace

void bind_scenarios(py::module_& module) {
  py::class_<LoadedScenario>(module, "Scenario")
      .def_readonly("name", &LoadedScenario::name)
      .def("json", [](const LoadedScenario& loaded) { return json::pretty(json::write(loaded.scenario)); })
      .def("warnings", [](const LoadedScenario& loaded) { return problems_of(loaded.problems); })
      .def("warnings_text", [](const LoadedScenario& loaded) { return loaded.problems.text(); })
      .def(py::pickle([](const LoadedScenario& loaded) { return py::bytes(to_bytes(loaded)); },
                      [](const py::bytes& state) { return scenario_of(std::string(state)); }));
  module.def("presets", &presets, Released());
  module.def("load", &load_scenario, py::arg("what"), py::arg("settings"), Released());
  module.def("load_text", &load_scenario_text, py::arg("text"), py::arg("name"), py::arg("settings"), Released());
  module.def(
      "check",
      [](const std::string& what, const Settings& settings) {
        return all_problems([&] { return load_scenario(what, settings); });
      },
      py::arg("what"), py::arg("settings"), Released());
  module.def(
      "check_text",
      [](const std::string& text, const std::string& name, const Settings& settings) {
        return all_problems([&] { return load_scenario_text(text, name, settings); });
      },
      py::arg("text"), py::arg("name"), py::arg("settings"), Released());
  py::class_<Problems>(module, "Problems")
      .def(py::init<>())
      .def("append", &Problems::append)
      .def("json", [](const Problems& problems) { return json::pretty(problems.to_json()); })
      .def("text", &Problems::text)
      .def("list", [](const Problems& problems) { return problems_of(problems); })
      .def("errors", &Problems::errors)
      .def("__len__", &Problems::size);
}

}  // namespace vecusim::bindings
