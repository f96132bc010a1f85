// Reports: documents of any kind as one model (report_parts.hpp), and the model in a page.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/bench_data.hpp"
#include "analysis/trials.hpp"
#include "system/json_node.hpp"

namespace vecusim {

struct ReportOptions {
  /// Empty: what the documents are called.
  std::string title = {};
  /// Measured samples, drawn beside those of every result with one interrupt.
  std::optional<BenchData> bench = {};
  Parallel parallel = {};
};

/// A file, or a document that is in none.
struct ReportInput {
  /// The file's, or what the document is to be called.
  std::string name;
  /// The document's.
  std::optional<std::string> text = {};
};

/// The report on some documents, in their order: results, validations, calibrations, sensitivities and stores of
/// sweeps. Throws InvalidInput with what is wrong with the first one that cannot be used, Interrupted if stopped.
json::Node make_report(const std::vector<ReportInput>& inputs, const ReportOptions& options);
/// The same on files alone.
json::Node make_report(const std::vector<std::string>& files, const ReportOptions& options);

/// What a page has instead of its model.
inline constexpr std::string_view kModelPlace = "@MODEL@";
/// The model as JSON that may stand in a script of a page: nothing in it ends the script or begins another.
std::string embedded(const json::Node& model);
/// The page with the model in its place. It must have one.
std::string to_page(std::string_view page, const json::Node& model);

}  // namespace vecusim
