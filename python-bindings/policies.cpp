// Policies: one scheduler, driven step by step.
#include <string>
#include <vector>

#include "python-bindings/bindings.hpp"
#include "system/json_parse.hpp"
#include "system/policy_drive.hpp"

namespace vecusim::bindings {

namespace {

using golden::PolicyDrive;
using Number = std::optional<std::int64_t>;

json::Node parsed(const std::string& text) {
  Problems problems;
  auto node = json::parse(text, "boot", problems);
  problems.throw_if_errors();
  return *std::move(node);
}

py::object unit_number(UnitId unit) {
  return unit == kIdle ? py::object(py::none()) : py::object(py::int_(index(unit)));
}

py::list passes_of(PolicyDrive& drive) {
  py::list passes;
  for (const golden::Pass& pass : drive.take_passes()) {
    passes.append(
        py::make_tuple(pass.at.count(), index(pass.pcpu), unit_number(pass.previous), unit_number(pass.next),
                       pass.slice < HvTime{} ? py::object(py::none()) : py::object(py::int_(pass.slice.count()))));
  }
  return passes;
}

std::size_t add_domain(PolicyDrive& drive, std::optional<std::int32_t> weight, std::optional<std::int32_t> cap_pct) {
  return index(drive.add_domain({.weight = weight, .cap_pct = cap_pct, .server = {}}));
}

std::size_t add_unit(PolicyDrive& drive, std::uint32_t domain, const std::vector<std::size_t>& pcpus, Number period_ns,
                     Number budget_ns, std::optional<bool> extratime) {
  std::optional<ServerParameters> server;
  if (period_ns || budget_ns || extratime) {
    server.emplace();
    server->extratime = extratime;
    if (period_ns) server->period = HvTime{*period_ns};
    if (budget_ns) server->budget = HvTime{*budget_ns};
  }
  return index(drive.add_unit(static_cast<DomainId>(domain), pcpus, server));
}

void set_table(PolicyDrive& drive, std::int64_t major_frame_ns,
               const std::vector<std::pair<std::uint32_t, std::int64_t>>& slots) {
  SlotTable table{HvTime{major_frame_ns}, {}};
  for (const auto& [unit, runtime_ns] : slots) table.slots.push_back({static_cast<UnitId>(unit), HvTime{runtime_ns}});
  drive.set_table(table);
}

const char* name_of(Runstate state) {
  constexpr std::array kNames = {"running", "runnable", "blocked", "offline"};
  return kNames.at(static_cast<std::size_t>(state));
}

py::dict totals_of(const PolicyDrive& drive, std::uint32_t unit) {
  const RunTotals totals = drive.totals(static_cast<UnitId>(unit));
  py::dict times;
  for (std::size_t i = 0; i < kRunstates; ++i) times[name_of(static_cast<Runstate>(i))] = totals.in_state.at(i).count();
  return times;
}

py::dict figures_of(const PolicyDrive& drive, std::uint32_t unit) {
  py::dict figures;
  for (const Figure& figure : drive.figures(static_cast<UnitId>(unit))) {
    figures[py::str(std::string(figure.name))] = figure.value;
  }
  return figures;
}

}  // namespace

void bind_policies(py::module_& module) {
  py::class_<PolicyDrive>(module, "Policy")
      .def(py::init([](const std::string& scheduler, std::size_t pcpus, const std::string& boot,
                       const std::string& xen_version) {
             return std::make_unique<PolicyDrive>(scheduler, pcpus, parsed(boot), xen_version);
           }),
           py::arg("scheduler"), py::arg("pcpus"), py::arg("boot"), py::arg("xen_version"))
      .def("add_domain", &add_domain, py::arg("weight"), py::arg("cap_pct"))
      .def("add_unit", &add_unit, py::arg("domain"), py::arg("pcpus"), py::arg("period_ns"), py::arg("budget_ns"),
           py::arg("extratime"))
      .def("set_table", &set_table, py::arg("major_frame_ns"), py::arg("slots"))
      .def("wake", [](PolicyDrive& drive, std::uint32_t unit) { drive.wake(static_cast<UnitId>(unit)); })
      .def("block", [](PolicyDrive& drive, std::uint32_t unit) { drive.block(static_cast<UnitId>(unit)); })
      .def("yield_", [](PolicyDrive& drive, std::uint32_t unit) { drive.yield(static_cast<UnitId>(unit)); })
      .def("run_until", [](PolicyDrive& drive, std::int64_t end_ns) { drive.run_until(HvTime{end_ns}); })
      .def("now_ns", [](const PolicyDrive& drive) { return drive.now().count(); })
      .def("running",
           [](const PolicyDrive& drive) {
             py::list units;
             for (std::size_t p = 0; p < drive.pcpus(); ++p) units.append(unit_number(drive.running_on(p)));
             return units;
           })
      .def("runstate", [](const PolicyDrive& drive,
                          std::uint32_t unit) { return name_of(drive.runstate(static_cast<UnitId>(unit))); })
      .def("totals_ns", &totals_of)
      .def("figures", &figures_of)
      .def("take_passes", &passes_of);
}

}  // namespace vecusim::bindings
