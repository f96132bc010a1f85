// Files and documents: what other tools wrote, and the page on what this one gives.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/import.hpp"
#include "analysis/report.hpp"
#include "analysis/report_page.hpp"
#include "python-bindings/arrays.hpp"
#include "python-bindings/bindings.hpp"
#include "system/json_print.hpp"
#include "system/output_file.hpp"

namespace vecusim::bindings {

namespace {

using Released = py::call_guard<py::gil_scoped_release>;

struct Imports {
  std::vector<Imported> files;

  Problems problems() const {
    Problems all;
    for (const Imported& file : files) all.append(file.problems);
    return all;
  }
};

std::uint16_t channel(std::uint64_t index) {
  constexpr std::uint64_t kMost = 1023;
  require_within("channels", index, 0, kMost);
  return static_cast<std::uint16_t>(index);
}

Imports import_files(const std::vector<std::string>& paths, std::pair<std::uint64_t, std::uint64_t> channels,
                     std::optional<bool> rise, std::optional<double> timeout_us, std::optional<double> min_gap_us,
                     std::optional<double> counter_hz) {
  ImportOptions options;
  options.pairing.stimulus = channel(channels.first);
  options.pairing.response = channel(channels.second);
  options.pairing.rise = rise;
  if (timeout_us) options.pairing.timeout = from_us(*timeout_us);
  if (min_gap_us) options.pairing.min_gap = from_us(*min_gap_us);
  options.counter_hz = counter_hz;
  return {vecusim::import_files(paths, options)};
}

/// (file, name, latency_ps, count, beyond, missed) of each.
py::list series(const py::object& self) {
  static const LatencyCount kNone{};
  py::list list;
  for (const Imported& file : self.cast<const Imports&>().files) {
    for (const LatencySeries& one : file.latencies.series) {
      const LatencyCount& first = one.counts.empty() ? kNone : one.counts.front();
      list.append(py::make_tuple(file.name, one.name,
                                 view(integers(&first.value), one.counts.size(), sizeof(first), self),
                                 view(&first.n, one.counts.size(), sizeof(first), self), one.overflows, one.missed));
    }
  }
  return list;
}

/// Each document is (text, name), or (None, path). The model, its page if there is one, and warnings.
py::tuple report(const std::vector<std::pair<std::optional<std::string>, std::string>>& documents,
                 const std::string& title, const std::optional<std::string>& data, unsigned jobs,
                 const py::object& progress) {
  std::vector<ReportInput> inputs;
  inputs.reserve(documents.size());
  for (const auto& [text, name] : documents) inputs.push_back({name, text});
  std::string model;
  std::optional<std::string> page;
  std::string warnings;
  watch(progress, jobs, [&](const Parallel& parallel) {
    ReportOptions options{.title = title, .parallel = parallel};
    if (data) {
      options.bench = read_bench_file(*data);
      warnings = options.bench->warnings.text();
    }
    const json::Node made = make_report(inputs, options);
    model = json::pretty(made);
    if (!report_page().empty()) page = to_page(report_page(), made);
  });
  return py::make_tuple(model, page, warnings);
}

}  // namespace

void bind_documents(py::module_& module) {
  py::class_<Imports>(module, "Imports")
      .def("json", [](const Imports& imports) { return json::pretty(to_json(imports.files)); })
      .def("text", [](const Imports& imports) { return to_text(imports.files); })
      .def("sound", [](const Imports& imports) { return !imports.problems().has_errors(); })
      .def("problems", [](const Imports& imports) { return problems_of(imports.problems()); })
      .def("series", &series);
  module.def("import_files", &import_files, py::arg("files"), py::arg("channels"), py::arg("rise"),
             py::arg("timeout_us"), py::arg("min_gap_us"), py::arg("counter_hz"), Released());
  module.def("has_page", [] { return !report_page().empty(); });
  module.def("report", &report, py::arg("documents"), py::arg("title"), py::arg("data"), py::arg("jobs"),
             py::arg("progress"));
  module.def(
      "write_file", [](const std::string& path, const std::string& text) { write_file(path, text); }, py::arg("path"),
      py::arg("text"), Released());
}

}  // namespace vecusim::bindings
