// Property tests: random cases from a fixed seed, and a failure is shown as the shortest case that still fails.
#pragma once

#include <rapidcheck.h>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>

#include <rapidcheck/detail/TestListenerAdapter.h>

#include "catch.hpp"

namespace vecusim::test {

/// Checks `property` (what rapidcheck takes: a callable whose arguments are generated) on `cases` cases that grow up to
/// `size`.
template <class Property>
void check_property(Property&& property, int cases, int size = 100) {
  rc::detail::TestParams params;
  params.seed = 1;
  params.maxSuccess = cases;
  params.maxSize = size;
  // All arguments are given: what is left out comes from the environment.
  rc::detail::TestListenerAdapter silent;
  const std::unordered_map<std::string, rc::detail::Reproduce> nothing_to_reproduce;
  const auto result = rc::detail::checkTestable(std::forward<Property>(property), rc::detail::TestMetadata{}, params,
                                                silent, nothing_to_reproduce);
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  INFO(text.str());
  CHECK(result.template is<rc::detail::SuccessResult>());
}

}  // namespace vecusim::test
