// Arrays of numpy that share the memory of C++'s objects.
#pragma once

#include <cstddef>
#include <cstdint>

#include <pybind11/numpy.h>

#include "engine/time.hpp"
#include "python-bindings/bindings.hpp"

namespace vecusim::bindings {

static_assert(sizeof(Duration) == sizeof(std::int64_t), "an array of durations is one of int64");

/// Read-only, `stride` bytes from element to element; it keeps `owner` alive.
template <class T>
py::array view(const T* first, std::size_t size, std::size_t stride, const py::object& owner) {
  py::array array(py::dtype::of<T>(), {static_cast<py::ssize_t>(size)}, {static_cast<py::ssize_t>(stride)}, first,
                  owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

/// Of durations as ps.
inline const std::int64_t* integers(const Duration* durations) {
  return reinterpret_cast<const std::int64_t*>(durations);
}

}  // namespace vecusim::bindings
