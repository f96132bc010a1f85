// Python's module _vecusim: what the package vecusim is made of; it adds no rule of its own to what C++ does.
#include "analysis/bytes.hpp"
#include "analysis/result.hpp"
#include "python-bindings/bindings.hpp"
#include "system/json_print.hpp"
#include "system/output_file.hpp"

namespace vecusim::bindings {

py::object to_python(const json::Node& document) {
  return py::module_::import("json").attr("loads")(json::compact(document));
}

py::object problems_of(const Problems& problems) { return py::object(to_python(problems.to_json())["problems"]); }

namespace {

void raise(const char* name, const py::args& arguments) {
  const py::object type = py::module_::import("vecusim.errors").attr(name);
  PyErr_SetObject(type.ptr(), type(*arguments).ptr());
}

}  // namespace

void translate_exceptions() {
  py::register_exception_translator([](std::exception_ptr error) {  // NOLINT(performance-unnecessary-value-param)
    try {
      if (error) std::rethrow_exception(error);
    } catch (const InvalidInput& invalid) {
      raise("InvalidInput", py::make_tuple(invalid.problems().text(), problems_of(invalid.problems())));
    } catch (const OutputError& refused) {
      PyErr_SetString(PyExc_OSError, refused.what());
    } catch (const std::system_error& refused) {
      PyErr_SetString(PyExc_OSError, refused.what());
    } catch (const DamagedBytes& damaged) {
      PyErr_SetString(PyExc_ValueError, damaged.what());
    }
  });
}

}  // namespace vecusim::bindings

PYBIND11_MODULE(_vecusim, module) {
  using namespace vecusim::bindings;
  module.doc() = "The core of vecusim. Use the package vecusim.";
  module.attr("__version__") = std::string(vecusim::tool_version());
  translate_exceptions();
  bind_scenarios(module);
  bind_results(module);
  bind_judgements(module);
  bind_documents(module);
  bind_policies(module);
  bind_sweeps(module);
}
