// What kind each file is, found by its content, and the page around all of them.
#include "analysis/report.hpp"

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "analysis/report_parts.hpp"
#include "analysis/report_sources.hpp"
#include "analysis/report_store.hpp"
#include "analysis/result.hpp"
#include "system/data_files.hpp"
#include "system/json_parse.hpp"
#include "system/json_print.hpp"

namespace vecusim {
namespace report {

const std::vector<json::Node>& list_of(const Document& document, std::string_view key) {
  const json::Node& list = member(document.content, key);
  if (list.kind == json::Kind::array) return list.items;
  const bool missing = document.content.find(key) == nullptr;
  throw InvalidInput(Problem{missing ? document.content.place : list.place, "/" + std::string(key),
                             "an array, as in " + text_of(document.content, "schema"),
                             missing ? "nothing" : json::shown(list)});
}

namespace {

constexpr std::string_view kExpected =
    "a result, validation, calibration or sensitivity (--json), or the store of a sweep (--out)";

InvalidInput refusal(const std::string& path, std::string found) {
  return InvalidInput(
      Problem{{std::make_shared<const std::string>(path), 1, 1}, "", std::string(kExpected), std::move(found)});
}

Source source_of(const Document& document, const ReportOptions& options) {
  const std::string schema = text_of(document.content, "schema");
  if (schema == "vecusim/result/1") {
    return result_source(document, options.bench ? &*options.bench : nullptr, options.parallel);
  }
  if (schema == "vecusim/validation/1") return validation_source(document);
  if (schema == "vecusim/calibration/1") return calibration_source(document);
  if (schema == "vecusim/sensitivity/1") return sensitivity_source(document);
  if (schema == "vecusim/scenario/1") {
    throw refusal(document.path, "a scenario: `vecusim run " + document.path + " --json` makes a result of it");
  }
  throw refusal(document.path, schema.empty() ? "no schema" : json::quoted(schema));
}

Source read_source(const ReportInput& input, const std::string& id, const ReportOptions& options) {
  const std::string& path = input.name;
  Problems problems;
  if (input.text) {
    auto document = json::parse(*input.text, path, problems);
    problems.throw_if_errors();
    return source_of({path, id, *std::move(document), false}, options);
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw refusal(path, "a folder");
  const auto content = file_content(path);
  if (content && is_database(*content)) return sweep_source(path, id);
  auto document = json::read_file(path, problems);  // says what is wrong with a file that cannot be read
  problems.throw_if_errors();
  return source_of({path, id, *std::move(document)}, options);
}

/// Names of files as anchors, each once.
class Identifiers {
 public:
  std::string of(const std::string& path) {
    const std::filesystem::path file(path);
    // `run -o DIR` calls them all alike.
    const bool in_folder = file.filename() == "result.json" && !file.parent_path().filename().empty();
    const std::string name = anchor((in_folder ? file.parent_path().filename() : file.stem()).string());
    std::string id = name;
    for (std::size_t i = 2; !taken_.insert(id).second; ++i) id = name + "-" + std::to_string(i);
    return id;
  }

 private:
  std::set<std::string> taken_;
};

std::string title_of(const std::vector<Source>& sources) {
  if (sources.size() == 1) return sources.front().title.empty() ? sources.front().file : sources.front().title;
  return "vecusim report";
}

}  // namespace
}  // namespace report

json::Node make_report(const std::vector<ReportInput>& inputs, const ReportOptions& options) {
  report::Identifiers identifiers;
  std::vector<report::Source> sources;
  sources.reserve(inputs.size());
  for (const ReportInput& input : inputs) {
    sources.push_back(report::read_source(input, identifiers.of(input.name), options));
  }
  json::Node model = json::Node::object();
  model.set("schema", json::Node::string("vecusim/report/1"));
  model.set("version", json::Node::string(std::string(tool_version())));
  model.set("title", json::Node::string(options.title.empty() ? report::title_of(sources) : options.title));
  json::Node& list = model.set("sources", json::Node::array());
  for (report::Source& source : sources) list.push_back(to_json(std::move(source)));
  return model;
}

json::Node make_report(const std::vector<std::string>& files, const ReportOptions& options) {
  std::vector<ReportInput> inputs;
  inputs.reserve(files.size());
  for (const std::string& file : files) inputs.push_back({file, {}});
  return make_report(inputs, options);
}

// Inside strings alone can these characters stand, and there their escapes mean the same. U+2028 and U+2029 end lines
// of older scripts.
std::string embedded(const json::Node& model) {
  const std::string text = json::compact(model);
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view(text).substr(i);
    if (text[i] == '<') {
      result += "\\u003c";
    } else if (text[i] == '>') {
      result += "\\u003e";
    } else if (text[i] == '&') {
      result += "\\u0026";
    } else if (rest.starts_with("\u2028") || rest.starts_with("\u2029")) {
      result += rest.starts_with("\u2028") ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

std::string to_page(std::string_view page, const json::Node& model) {
  const std::size_t at = page.find(kModelPlace);
  assert(at != std::string_view::npos);
  std::string text(page.substr(0, at));
  text += embedded(model);
  text += page.substr(at + kModelPlace.size());
  return text;
}

}  // namespace vecusim
