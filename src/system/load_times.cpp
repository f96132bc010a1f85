// Reading recorded times: one a line, in the unit that the first line names, or in microseconds.
#include "system/load_times.hpp"

#include <array>
#include <sstream>
#include <string>

#include "system/data_files.hpp"
#include "system/json_decimal.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"
#include "system/scenario_input.hpp"

namespace vecusim {

namespace {

namespace fs = std::filesystem;

struct Unit {
  std::string_view column;
  int to_us;  // power of ten
};
constexpr std::array kUnits = {Unit{"time_us", 0}, Unit{"time_ns", -3}, Unit{"time_ms", 3}, Unit{"time_s", 6}};

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(trimmed(cell));
  return cells;
}

bool is_time(const std::string& text) {
  if (text.empty() || text.find_first_not_of("0123456789.") != std::string::npos) return false;
  const auto point = text.find('.');
  return text.find('.', point + 1) == std::string::npos && text.front() != '.' && text.back() != '.';
}

class TimesFile {
 public:
  TimesFile(const std::string& name, LoadedScenario& loaded) : loaded_(loaded) {
    at_.place.file = std::make_shared<const std::string>(name);
    at_.place.column = 1;
  }

  json::Node read(const std::string& content) {
    std::istringstream stream(content);
    for (std::string text; std::getline(stream, text);) {
      ++at_.place.line;
      if (const std::string content_of = trimmed(text); !content_of.empty() && content_of.front() != '#') {
        line(cells_of(text));
      }
    }
    if (times_.items.empty()) add_problem(loaded_.problems, at_, "", "at least one time", "none");
    return std::move(times_);
  }

 private:
  void line(const std::vector<std::string>& cells) {
    if (times_.items.empty() && !headed_ && !is_time(cells[0])) return header(cells);
    if (cells.size() <= column_ || !is_time(cells[column_])) {
      add_problem(loaded_.problems, at_, "", "a time", json::quoted(cells.size() <= column_ ? "" : cells[column_]));
      return;
    }
    const json::Decimal decimal = json::parse_decimal(cells[column_]);
    constexpr int kPsPerUs = 6;
    const auto ps = json::scaled(decimal, to_us_ + kPsPerUs);
    if (!ps) {
      add_problem(loaded_.problems, at_, "", "a time of at most 100 days", json::quoted(cells[column_]));
      return;
    }
    json::Node time = json::Node::number(json::print_decimal(*ps, -kPsPerUs));
    time.place = at_.place;
    times_.push_back(std::move(time));
  }

  void header(const std::vector<std::string>& cells) {
    headed_ = true;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      for (const Unit& unit : kUnits) {
        if (cells[i] != unit.column) continue;
        column_ = i;
        to_us_ = unit.to_us;
        return;
      }
    }
    add_problem(loaded_.problems, at_, "", "a column time_s, time_ms, time_us or time_ns", json::quoted(cells[0]));
  }

  LoadedScenario& loaded_;
  json::Node at_;
  json::Node times_ = json::Node::array();
  bool headed_ = false;
  std::size_t column_ = 0;
  int to_us_ = 0;
};

void merge(json::Node& stimulus, const std::string& pointer, const fs::path& beside, LoadedScenario& loaded) {
  const json::Node* file = stimulus.find("file");
  if (file == nullptr || file->kind != json::Kind::string || stimulus.find("times_us") != nullptr) return;
  const fs::path path = named_file(*file, beside);
  const auto content = file_content(path);
  if (!content) {
    add_problem(loaded.problems, *file, json::child(pointer, "file"), "the name of a file with times",
                json::quoted(file->text) + ", and there is no " + path.lexically_normal().string());
    return;
  }
  loaded.inputs.push_back({file->text, sha256(*content)});
  json::Node times = TimesFile(file->text, loaded).read(*content);
  times.place = file->place;
  stimulus.set("times_us", std::move(times));
}

}  // namespace

void merge_times(json::Node& document, const fs::path& beside, LoadedScenario& loaded) {
  json::Node* interrupts = document.find("interrupts");
  if (interrupts == nullptr) return;
  for (std::size_t i = 0; i < interrupts->items.size(); ++i) {
    const std::string pointer = json::child(json::child("/interrupts", i), "stimulus");
    if (json::Node* stimulus = interrupts->items[i].find("stimulus")) merge(*stimulus, pointer, beside, loaded);
  }
}

bool names_times(std::string_view pointer) { return json::leads_to(pointer, "/interrupts/*/stimulus/file"); }

bool within_times(std::string_view pointer) {
  return pointer.starts_with("/interrupts/") && pointer.find("/stimulus/times_us/") != std::string_view::npos;
}

void forget_times(json::Node& document, std::string_view pointer) {
  if (!names_times(pointer) || !pointer.ends_with("/file")) return;
  json::Node* stimulus = json::find(document, pointer.substr(0, pointer.rfind('/')));
  if (stimulus != nullptr && stimulus->kind == json::Kind::object) stimulus->erase("times_us");
}

}  // namespace vecusim
