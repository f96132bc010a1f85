// CaseFigure: a number of a result, or what it is in one scenario relative to another, and what was measured of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/fields.hpp"

namespace vecusim {

/// `fit` if any number of the row, or of the row's own argument, went into a parameter.
enum class Role : std::uint8_t { fit, predicted };
enum class RowVerdict : std::uint8_t { pass, fail, infeasible_data };

/// The box of what is not known: costs within their ranges, and conditions that the source leaves open.
struct CaseRegion {
  /// Those costs of the scenario whose names begin so.
  std::vector<std::string> costs;
  /// PTR=VALUES, as of --vary.
  std::vector<std::string> conditions;
  std::int64_t draws = 20;
  void fields(FieldVisitor& visit);
};

struct CaseFigure {
  std::string name;
  /// By its path, as in a sweep's CSV.
  std::string number;
  std::string scenario;
  /// The scenario that the number is divided by.
  std::optional<std::string> over;
  std::vector<std::string> set;
  double measured = 0.0;
  /// The largest |predicted / measured - 1|.
  double mark = 0.1;
  Role role = Role::predicted;
  RowVerdict expect = RowVerdict::pass;
  std::vector<std::string> perturbation;
  std::vector<std::string> fitted;
  std::optional<CaseRegion> region;
  std::string note;
  void fields(FieldVisitor& visit);
};

std::span<const Option> roles();
std::span<const Option> verdicts();

}  // namespace vecusim
