// What a checker finds in a scenario, before it is known where in the file that stands.
#pragma once

#include <string>
#include <vector>

#include "system/problem.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// Problems by their JSON pointers alone: whoever checks a whole scenario adds the places.
class Findings {
 public:
  void error(std::string pointer, std::string expected, std::string found, std::string suggestion = {});
  /// What is probably not meant; `rule` is its id.
  void warn(std::string pointer, std::string rule, std::string expected, std::string found);
  /// An error if `key` of the object at `pointer` is set, where it means nothing.
  void refuse(bool set, const std::string& pointer, const std::string& key, const std::string& expected);
  /// refuse() for each key by which a hypervisor's scheduler is told how to treat a domain.
  void refuse_scheduling(const DomainConfig& domain, const std::string& pointer, const std::string& expected);

  void append(std::vector<Problem> others);
  std::vector<Problem> take() { return std::move(found_); }

 private:
  std::vector<Problem> found_;
};

}  // namespace vecusim
