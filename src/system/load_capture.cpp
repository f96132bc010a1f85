// Frames of captures, on the wire, as a flow's times and sizes.
#include "system/load_capture.hpp"

#include <algorithm>
#include <string>

#include "models/frame.hpp"
#include "system/data_files.hpp"
#include "system/json_decimal.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"
#include "system/read_capture.hpp"
#include "system/scenario_input.hpp"

namespace vecusim {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFlows = "/network/flows/";
// Beyond what is captured of a frame: its check sequence, preamble and gap.
constexpr std::int64_t kMostCaptured = kMostWireBytes - kWireOverhead;

class CaptureFile {
 public:
  CaptureFile(const json::Node& name, const std::string& pointer, LoadedScenario& loaded)
      : name_(name), pointer_(pointer), loaded_(loaded) {}

  bool read(const std::string& content) {
    const CaptureReading reading = read_capture(content);
    if (!reading.expected.empty()) return problem(reading.expected, reading.found);
    for (const CapturedFrame& frame : reading.frames) {
      if (!add(frame)) return false;
    }
    if (times_.items.empty()) return problem("at least one frame", "none");
    return true;
  }

  json::Node take_times() { return std::move(times_); }
  json::Node take_sizes() { return std::move(sizes_); }

 private:
  bool add(const CapturedFrame& frame) {
    constexpr int kNsPerUs = 3;
    const std::int64_t at = frame.at_ns;
    if (times_.items.empty()) first_ = last_ = at;
    last_ = std::max(last_, at);  // captures of several CPUs are not always in order
    const std::int64_t length = frame.bytes;
    if (length > kMostCaptured) {
      return problem("frames of at most " + std::to_string(kMostCaptured) +
                         " bytes, as they are on the wire: captured with the interface's offloads switched off",
                     "one of " + std::to_string(length));
    }
    times_.push_back(json::Node::number(json::print_decimal(last_ - first_, -kNsPerUs)));
    sizes_.push_back(json::Node::integer(std::max(length + kWireOverhead, kLeastWireBytes)));
    times_.items.back().place = name_.place;
    sizes_.items.back().place = name_.place;
    return true;
  }

  bool problem(std::string expected, std::string found) {
    add_problem(loaded_.problems, name_, pointer_, std::move(expected), std::move(found));
    return false;
  }

  const json::Node& name_;
  const std::string& pointer_;
  LoadedScenario& loaded_;
  std::int64_t first_ = 0;
  std::int64_t last_ = 0;
  json::Node times_ = json::Node::array();
  json::Node sizes_ = json::Node::array();
};

void merge(json::Node& flow, const std::string& pointer, const fs::path& beside, LoadedScenario& loaded) {
  const json::Node* file = flow.find("file");
  if (file == nullptr || file->kind != json::Kind::string || flow.find("times_us") != nullptr) return;
  const std::string name = json::child(pointer, "file");
  const fs::path path = named_file(*file, beside);
  const auto content = file_content(path);
  if (!content) {
    add_problem(loaded.problems, *file, name, "the name of a capture",
                json::quoted(file->text) + ", and there is no " + path.lexically_normal().string());
    return;
  }
  loaded.inputs.push_back({file->text, sha256(*content)});
  CaptureFile capture(*file, name, loaded);
  if (!capture.read(*content)) return;
  flow.set("times_us", capture.take_times());
  flow.set("sizes_bytes", capture.take_sizes());
}

json::Node* flows_of(json::Node& document) {
  json::Node* network = document.find("network");
  return network == nullptr ? nullptr : network->find("flows");
}

}  // namespace

void merge_captures(json::Node& document, const fs::path& beside, LoadedScenario& loaded) {
  json::Node* flows = flows_of(document);
  if (flows == nullptr) return;
  for (std::size_t i = 0; i < flows->items.size(); ++i) {
    merge(flows->items[i], json::child("/network/flows", i), beside, loaded);
  }
}

bool names_capture(std::string_view pointer) { return json::leads_to(pointer, "/network/flows/*/file"); }

bool within_capture(std::string_view pointer) {
  return pointer.starts_with(kFlows) && (pointer.find("/times_us/") != std::string_view::npos ||
                                         pointer.find("/sizes_bytes/") != std::string_view::npos);
}

void forget_capture(json::Node& document, std::string_view pointer) {
  if (!names_capture(pointer) || !pointer.ends_with("/file")) return;
  json::Node* flow = json::find(document, pointer.substr(0, pointer.rfind('/')));
  if (flow == nullptr || flow->kind != json::Kind::object) return;
  flow->erase("times_us");
  flow->erase("sizes_bytes");
}

}  // namespace vecusim
