// Describes a configuration struct as a reference page: a section for each object and each alternative.
#include <algorithm>
#include <map>
#include <utility>

#include "system/json_default.hpp"
#include "system/json_fields.hpp"
#include "system/json_print.hpp"
#include "system/json_range.hpp"

namespace vecusim::json {
namespace {

constexpr std::size_t kNoSection = static_cast<std::size_t>(-1);

/// A pointer to another section, or an option of a field, or both.
struct Reference {
  std::string name;
  std::string sentence;
  std::size_t section = kNoSection;
  bool operator==(const Reference&) const = default;
};

struct Row {
  std::string key;
  std::string standard;
  std::string range;
  std::string meaning;
  std::vector<Reference> references;
  bool operator==(const Row&) const = default;
};

struct Section {
  std::string heading;
  /// The last part of the heading: only sections of one name are ever the same.
  std::string name;
  std::vector<Row> rows = {};
  bool dropped = false;
};

std::string code(std::string_view text) { return "`" + std::string{text} + "`"; }

/// Within a cell of a table.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

/// The anchor that renderers of Markdown (GitHub's, GitLab's, Pandoc's) make of a heading.
std::string anchor(std::string_view heading) {
  std::string result;
  for (const char c : heading) {
    if (c >= 'A' && c <= 'Z') result += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-') result += c;
    if (c == ' ') result += '-';
  }
  return result;
}

class Page final : public FieldVisitor {
 public:
  /// Adds a section with the fields that `fields` visits; the number of an earlier one of the same name if that says
  /// the same, and none if there are no fields.
  template <class Fields>
  std::size_t section(std::string heading, std::string name, Fields fields) {
    const std::size_t index = sections_.size();
    sections_.push_back({std::move(heading), std::move(name)});
    const std::size_t outer = std::exchange(current_, index);
    fields();
    current_ = outer;
    return settled(index);
  }
  std::string text(std::string_view title) const;

  void flag(const Field& field, bool& value) override {
    row(field, "true or false", [&](FieldVisitor& visit) { visit.flag(field, value); });
  }
  void text(const Field& field, std::string& value) override {
    row(field, "a string", [&](FieldVisitor& visit) { visit.text(field, value); });
  }
  void integer(const Field& field, std::int64_t& value, const Range<std::int64_t>& range) override {
    row(field, in_words(bounds(range)), [&](FieldVisitor& visit) { visit.integer(field, value, range); });
  }
  void number(const Field& field, double& value, const Range<double>& range) override {
    row(field, in_words(bounds(range)), [&](FieldVisitor& visit) { visit.number(field, value, range); });
  }
  void duration(const Field& field, Duration& value, const Range<Duration>& range) override {
    row(field, in_words(bounds(range, unit_power(field.key))),
        [&](FieldVisitor& visit) { visit.duration(field, value, range); });
  }
  void choice(const Field& field, std::size_t& value, std::span<const Option> options) override {
    row(field, names_of(options), [&](FieldVisitor& visit) { visit.choice(field, value, options); });
    for (const Option& option : options) {
      refer({std::string{option.name}, std::string{option.sentence}});
    }
  }
  void durations(const Field& field, std::vector<Duration>& values, const Range<Duration>& each) override {
    row(field, "an array of " + in_words_each(bounds(each, unit_power(field.key))),
        [&](FieldVisitor& visit) { visit.durations(field, values, each); });
  }
  void numbers(const Field& field, std::vector<double>& values, const Range<double>& each) override {
    row(field, "an array of " + in_words_each(bounds(each)),
        [&](FieldVisitor& visit) { visit.numbers(field, values, each); });
  }
  void texts(const Field& field, std::vector<std::string>& values) override {
    row(field, "an array of strings", [&](FieldVisitor& visit) { visit.texts(field, values); });
  }
  void index_lists(const Field& field, std::vector<std::vector<std::int64_t>>& lists,
                   const Range<std::int64_t>& each) override {
    row(field, "an array of " + in_words_each(bounds(each)) + ", or an array of such arrays",
        [&](FieldVisitor& visit) { visit.index_lists(field, lists, each); });
  }
  void object(const Field& field, Part& part) override {
    row(field, "an object", Node::object());
    nest(field, "", [&] { part.fields(*this); });
  }
  void list(const Field& field, PartList& parts) override {
    row(field, "an array of objects", [&](FieldVisitor& visit) { visit.list(field, parts); });
    parts.resize(0);
    parts.resize(1);
    nest(field, "[]", [&] { parts.fields(0, *this); });
  }
  void map(const Field& field, PartMap& parts) override {
    row(field, "an object of objects by name", [&](FieldVisitor& visit) { visit.map(field, parts); });
    nest(field, ".NAME", [&] { parts.fields("NAME", *this); });
  }
  void alternatives(const Field& tag, Alternatives& parts) override;
  bool wants(const Field& field, bool set) override {
    if (!set) unset_ = field.key;
    return true;
  }
  void require(bool /*ok*/, std::string_view /*key*/, std::string_view /*expected*/) override {}

 private:
  static std::string names_of(std::span<const Option> options) {
    std::string names;
    for (const Option& option : options) names += (names.empty() ? "" : ", ") + code(option.name);
    return names;
  }
  void row(const Field& field, std::string range, const Node& value) {
    std::string standard = code(compact(value));
    if (unset_ == field.key) standard = "not set";
    if (field.required) standard = "required";
    unset_ = {};
    sections_[current_].rows.push_back(
        {std::string{field.key}, std::move(standard), std::move(range), std::string{field.sentence}, {}});
  }
  template <class Show>
  requires std::invocable<Show, FieldVisitor&>
  void row(const Field& field, std::string range, Show show) { row(field, std::move(range), default_of(field, show)); }
  void refer(Reference reference) { sections_[current_].rows.back().references.push_back(std::move(reference)); }
  template <class Fields>
  void nest(const Field& field, std::string_view suffix, Fields fields);
  std::size_t settled(std::size_t index);
  std::string cells(const Row& row, const std::map<std::size_t, std::string>& anchors) const;

  std::vector<Section> sections_;
  std::size_t current_ = 0;
  std::string path_;
  std::string unset_;
};

/// The section of the object that the row written last is about.
template <class Fields>
void Page::nest(const Field& field, std::string_view suffix, Fields fields) {
  const std::size_t size = path_.size();
  path_ += (path_.empty() ? "" : ".") + std::string{field.key} + std::string{suffix};
  const std::size_t index = section(code(path_), std::string{field.key}, fields);
  path_.resize(size);
  if (index != kNoSection) refer({{}, {}, index});
}

void Page::alternatives(const Field& tag, Alternatives& parts) {
  const std::span<const Option> options = parts.options();
  row(tag, names_of(options), Node::string(std::string{options[parts.current()].name}));
  const std::string own = sections_[current_].name + ", ";
  const std::string object = path_.empty() ? "" : code(path_) + ", ";
  const std::size_t tag_row = sections_[current_].rows.size() - 1;
  for (std::size_t i = 0; i < options.size(); ++i) {
    parts.select(i);
    const std::string name = std::string{tag.key} + " " + code(options[i].name);
    const std::size_t index = section(object + name, own + name, [&] { parts.fields(*this); });
    sections_[current_].rows[tag_row].references.push_back(
        {std::string{options[i].name}, std::string{options[i].sentence}, index});
  }
}

std::size_t Page::settled(std::size_t index) {
  Section& section = sections_[index];
  section.dropped = section.rows.empty();
  if (section.dropped) return kNoSection;
  for (std::size_t i = 0; i < index; ++i) {
    const Section& earlier = sections_[i];
    if (earlier.dropped || earlier.name != section.name || earlier.rows != section.rows) continue;
    section.dropped = true;
    return i;
  }
  return index;
}

std::string Page::cells(const Row& row, const std::map<std::size_t, std::string>& anchors) const {
  std::string meaning = row.meaning;
  for (const Reference& reference : row.references) {
    const bool linked = reference.section != kNoSection;
    const std::string target = linked ? "(#" + anchors.at(reference.section) + ")" : "";
    if (reference.name.empty()) {
      meaning += "; see [" + sections_[reference.section].heading + "]" + target;
    } else {
      meaning += "<br>" + (linked ? "[" + code(reference.name) + "]" + target : code(reference.name));
      meaning += ": " + reference.sentence;
    }
  }
  return "| " + code(escaped(row.key)) + " | " + escaped(row.standard) + " | " + escaped(row.range) + " | " +
         escaped(meaning) + " |\n";
}

std::string Page::text(std::string_view title) const {
  std::map<std::size_t, std::string> anchors;
  std::map<std::string, int> uses;
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    if (sections_[i].dropped) continue;
    const std::string base = anchor(i == 0 ? title : sections_[i].heading);
    const int before = uses[base]++;
    anchors[i] = before == 0 ? base : base + "-" + std::to_string(before);
  }
  std::string page = "# " + std::string{title} + "\n";
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    if (sections_[i].dropped) continue;
    if (i > 0) page += "\n## " + sections_[i].heading + "\n";
    page += "\n| key | default | range | meaning |\n|---|---|---|---|\n";
    for (const Row& row : sections_[i].rows) page += cells(row, anchors);
  }
  return page;
}

}  // namespace

std::string markdown(Part& part, std::string_view title) {
  Page page;
  page.section({}, {}, [&] { part.fields(page); });
  return page.text(title);
}

}  // namespace vecusim::json
