// What the files of the module share: its parts, and what every function that simulates does around its work.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "analysis/experiment.hpp"
#include "analysis/trials.hpp"
#include "system/problem.hpp"
#include "system/scenario.hpp"

namespace vecusim::bindings {

namespace py = pybind11;

// One file each.
void bind_scenarios(py::module_& module);
void bind_results(py::module_& module);
void bind_judgements(py::module_& module);
void bind_documents(py::module_& module);
void bind_policies(py::module_& module);
void bind_sweeps(py::module_& module);

/// C++'s exceptions become those of vecusim/errors.py.
void translate_exceptions();

/// A document as Python's own objects: what json.loads() makes of it.
py::object to_python(const json::Node& document);
/// A list of dicts, as in vecusim/problems/1.
py::object problems_of(const Problems& problems);

/// Throws ValueError if `value` is given and not within these.
void require_within(const char* name, std::optional<std::uint64_t> value, std::uint64_t lo, std::uint64_t hi);

/// Does `work` on a thread of its own and without the GIL, so that other threads of Python run meanwhile; this one
/// looks for Ctrl-C and calls `progress(done, total)`, unless it is None, up to twenty times a second. What either
/// raises ends the work soon and is raised here. `work` must not touch Python.
void watch(const py::object& progress, unsigned jobs, const std::function<void(const Parallel&)>& work);

/// The options of an experiment, but for what watch() says. Throws ValueError beyond the limits of analysis/limits.hpp.
RunOptions options_of(std::optional<std::uint64_t> seed, std::optional<std::uint64_t> reps, const Parallel& parallel);

}  // namespace vecusim::bindings
