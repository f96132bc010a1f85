// What a report says of each kind of document: one function for each, from the document to its sections.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/bench_data.hpp"
#include "analysis/report_parts.hpp"
#include "analysis/trials.hpp"
#include "system/json_node.hpp"

namespace vecusim::report {

/// A document that has been read, where from or what it is called, and what its sections' identifiers begin with.
struct Document {
  std::string path;
  std::string id;
  json::Node content;
  bool in_file = true;
};

/// vecusim/result/1. `bench`: samples that were measured, drawn beside those of the interrupts; may be null. The
/// scenario is run once more (report_rerun.hpp).
Source result_source(const Document& document, const BenchData* bench, const Parallel& parallel);
/// vecusim/validation/1.
Source validation_source(const Document& document);
/// vecusim/calibration/1.
Source calibration_source(const Document& document);
/// vecusim/sensitivity/1.
Source sensitivity_source(const Document& document);
/// A sweep's store. Throws InvalidInput if it cannot be read.
Source sweep_source(const std::filesystem::path& path, const std::string& id);

/// The elements of an array that such a document must have. Throws InvalidInput if there is none.
const std::vector<json::Node>& list_of(const Document& document, std::string_view key);

/// What a result rests on: who made it of what, and every cost with its origin.
Section provenance_section(const Document& document);
/// Costs by name as a table, and how many are of each provenance.
void add_costs(Section& section, const std::string& id, const json::Node& costs);
/// Files by their hashes.
Part inputs_part(const std::string& id, const json::Node& inputs);

}  // namespace vecusim::report
