// Reads a located JSON tree into a configuration struct and reports everything that is wrong with it.
#include <algorithm>
#include <utility>

#include "system/json_decimal.hpp"
#include "system/json_fields.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"
#include "system/json_range.hpp"
#include "system/nearest.hpp"

namespace vecusim::json {
namespace {

/// Parts are large where the values of a file are small: `[1,1,1,…]` must not become gigabytes.
constexpr std::size_t kMaxParts = 100'000;

std::string one_of(const std::vector<std::string>& words) {
  std::string text = "one of ";
  const char* separator = "";
  for (const std::string& word : words) {
    text += separator;
    text += quoted(word);
    separator = ", ";
  }
  return text;
}

std::vector<std::string> names_of(std::span<const Option> options) {
  std::vector<std::string> names;
  names.reserve(options.size());
  for (const Option& option : options) names.emplace_back(option.name);
  return names;
}

class Reader final : public FieldVisitor {
 public:
  Reader(Problems& problems, std::string pointer) : problems_(problems), pointer_(std::move(pointer)) {}

  /// Lets `fields` visit the members of `node`, which must be an object.
  template <class Fields>
  void read_object(const Node& node, Fields fields);

  void flag(const Field& field, bool& value) override;
  void text(const Field& field, std::string& value) override;
  void integer(const Field& field, std::int64_t& value, const Range<std::int64_t>& range) override;
  void number(const Field& field, double& value, const Range<double>& range) override;
  void duration(const Field& field, Duration& value, const Range<Duration>& range) override;
  void choice(const Field& field, std::size_t& value, std::span<const Option> options) override;
  void durations(const Field& field, std::vector<Duration>& values, const Range<Duration>& each) override;
  void numbers(const Field& field, std::vector<double>& values, const Range<double>& each) override;
  void texts(const Field& field, std::vector<std::string>& values) override;
  void index_lists(const Field& field, std::vector<std::vector<std::int64_t>>& lists,
                   const Range<std::int64_t>& each) override;
  void object(const Field& field, Part& part) override;
  void list(const Field& field, PartList& parts) override;
  void map(const Field& field, PartMap& parts) override;
  void alternatives(const Field& tag, Alternatives& parts) override;
  bool wants(const Field& field, bool set) override;
  void require(bool ok, std::string_view key, std::string_view expected) override;

 private:
  /// The object being read.
  struct Scope {
    const Node& node;
    /// The keys asked for so far; all others are unknown at the end.
    std::vector<std::string> known = {};
    std::vector<std::pair<std::string, std::string>> missing = {};
    /// Nobody knows which keys there may be, because the tag that says so is wrong.
    bool open = false;
    /// Some value could not be read, so that rules over several fields cannot be judged.
    bool failed = false;
  };

  /// Asks for a key; an optional field does so twice.
  void know(std::string_view key);
  /// The field's value; null, and noted as missing if it is required, if it is not there.
  const Node* take(const Field& field, const std::string& expected);
  /// The same of an array, of what `expected` says.
  const Node* take_array(const Field& field, const std::string& expected);
  void refuse(const Place& place, std::string pointer, std::string expected, std::string found, std::string suggestion,
              std::string rule);
  /// A value that is not what `expected` says, at `pointer_`.
  void refuse(const Node& node, const std::string& expected, std::string rule) {
    refuse(node.place, pointer_, expected, shown(node), {}, std::move(rule));
  }
  void finish(const Scope& scope);

  /// Runs `body` with `pointer_` extended by a key or an index.
  template <class Token, class Body>
  void within(const Token& token, Body body) {
    const std::size_t size = pointer_.size();
    pointer_ = child(pointer_, token);
    body();
    pointer_.resize(size);
  }

  /// The same for each item of an array in turn.
  template <class Body>
  void within_items(const Field& field, const Node& array, Body body) {
    within(field.key, [&] {
      for (std::size_t i = 0; i < array.items.size(); ++i) within(i, [&] { body(i); });
    });
  }

  template <class T>
  bool check_range(const Node& node, const std::optional<T>& value, const Range<T>& range, const Bounds& limits);
  bool check_number(const Node& node, const Bounds& limits);
  void read_integer(const Node& node, std::int64_t& value, const Range<std::int64_t>& range);
  void read_number(const Node& node, double& value, const Range<double>& range);
  void read_duration(const Node& node, int power, Duration& value, const Range<Duration>& range);
  void read_text(const Node& node, std::string& value);
  void read_indices(const Node& node, std::vector<std::int64_t>& values, const Range<std::int64_t>& each);
  std::optional<std::size_t> read_choice(const Node& node, std::span<const Option> options);

  Problems& problems_;
  std::string pointer_;
  Scope* scope_ = nullptr;
};

template <class Fields>
void Reader::read_object(const Node& node, Fields fields) {
  if (node.kind != Kind::object) return refuse(node, "an object", "type");
  Scope scope{node};
  Scope* const outer = std::exchange(scope_, &scope);
  fields();
  finish(scope);
  scope_ = outer;
  if (outer != nullptr && scope.failed) outer->failed = true;
}

/// Reports what remains to be said of an object when all its fields were visited.
void Reader::finish(const Scope& scope) {
  std::vector<std::string> meant;
  for (const Member& member : scope.node.members) {
    const bool known = std::find(scope.known.begin(), scope.known.end(), member.key) != scope.known.end();
    if (known || scope.open) continue;
    if (problems_.full()) {
      problems_.add({});
      continue;
    }
    const std::string suggestion = nearest(member.key, scope.known);
    const std::string expected = suggestion.empty() ? "a known key (" + one_of(scope.known) + ")" : "a known key";
    refuse(member.key_place, child(pointer_, member.key), expected, shown(Node::string(member.key)), suggestion,
           "unknown-key");
    meant.push_back(suggestion);
  }
  // A key that is there with a typing error is not missing too.
  for (const auto& [key, expected] : scope.missing) {
    if (std::find(meant.begin(), meant.end(), key) != meant.end()) continue;
    refuse(scope.node.place, child(pointer_, key), expected, "nothing", {}, "missing-key");
  }
}

void Reader::refuse(const Place& place, std::string pointer, std::string expected, std::string found,
                    std::string suggestion, std::string rule) {
  if (scope_ != nullptr) scope_->failed = true;
  problems_.add({place, std::move(pointer), std::move(expected), std::move(found), std::move(suggestion),
                 Severity::error, std::move(rule)});
}

void Reader::know(std::string_view key) {
  auto& known = scope_->known;
  if (std::find(known.begin(), known.end(), key) == known.end()) known.emplace_back(key);
}

const Node* Reader::take(const Field& field, const std::string& expected) {
  know(field.key);
  const Node* node = scope_->node.find(field.key);
  if (node == nullptr && field.required) {
    scope_->missing.emplace_back(field.key, expected);
    scope_->failed = true;
  }
  return node;
}

const Node* Reader::take_array(const Field& field, const std::string& expected) {
  const Node* node = take(field, expected);
  if (node == nullptr || node->kind == Kind::array) return node;
  within(field.key, [&] { refuse(*node, expected, "type"); });
  return nullptr;
}

bool Reader::wants(const Field& field, bool /*set*/) {
  know(field.key);
  return scope_->node.find(field.key) != nullptr;
}

void Reader::require(bool ok, std::string_view key, std::string_view expected) {
  if (ok || scope_->failed) return;
  const Node* node = scope_->node.find(key);
  const Place& place = node != nullptr ? node->place : scope_->node.place;
  problems_.add({place,
                 child(pointer_, key),
                 std::string{expected},
                 node != nullptr ? shown(*node) : "nothing",
                 {},
                 Severity::error,
                 "rule"});
}

void Reader::flag(const Field& field, bool& value) {
  const std::string expected = "true or false";
  const Node* node = take(field, expected);
  if (node == nullptr) return;
  if (node->kind == Kind::boolean) {
    value = node->truth;
  } else {
    within(field.key, [&] { refuse(*node, expected, "type"); });
  }
}

void Reader::read_text(const Node& node, std::string& value) {
  if (node.kind == Kind::string || (node.bare && node.is_number())) {
    value = node.text;
  } else {
    refuse(node, "a string", "type");
  }
}

void Reader::text(const Field& field, std::string& value) {
  const Node* node = take(field, "a string");
  if (node == nullptr) return;
  within(field.key, [&] { read_text(*node, value); });
}

void Reader::texts(const Field& field, std::vector<std::string>& values) {
  const Node* node = take_array(field, "an array of strings");
  if (node == nullptr) return;
  values.assign(node->items.size(), {});
  within_items(field, *node, [&](std::size_t i) { read_text(node->items[i], values[i]); });
}

/// Whether `node` is a number, and whole if it must be.
bool Reader::check_number(const Node& node, const Bounds& limits) {
  if (node.is_number() && (!limits.whole || parse_decimal(node.text).is_whole())) return true;
  refuse(node, in_words(limits), "type");
  return false;
}

template <class T>
bool Reader::check_range(const Node& node, const std::optional<T>& value, const Range<T>& range, const Bounds& limits) {
  if (value && contains(range, *value)) return true;
  refuse(node, in_words(limits), "range");
  return false;
}

void Reader::read_integer(const Node& node, std::int64_t& value, const Range<std::int64_t>& range) {
  const Bounds limits = bounds(range);
  if (!check_number(node, limits)) return;
  const std::optional<std::int64_t> read = node.as_int64();
  if (check_range(node, read, range, limits)) value = *read;
}

void Reader::integer(const Field& field, std::int64_t& value, const Range<std::int64_t>& range) {
  const Node* node = take(field, in_words(bounds(range)));
  if (node == nullptr) return;
  within(field.key, [&] { read_integer(*node, value, range); });
}

void Reader::read_number(const Node& node, double& value, const Range<double>& range) {
  const Bounds limits = bounds(range);
  if (!check_number(node, limits)) return;
  const std::optional<double> read = node.as_double();
  if (check_range(node, read, range, limits)) value = *read;
}

void Reader::number(const Field& field, double& value, const Range<double>& range) {
  const Node* node = take(field, in_words(bounds(range)));
  if (node == nullptr) return;
  within(field.key, [&] { read_number(*node, value, range); });
}

void Reader::numbers(const Field& field, std::vector<double>& values, const Range<double>& each) {
  const Node* node = take_array(field, "an array of " + in_words_each(bounds(each)));
  if (node == nullptr) return;
  values.assign(node->items.size(), 0);
  within_items(field, *node, [&](std::size_t i) { read_number(node->items[i], values[i], each); });
}

void Reader::read_duration(const Node& node, int power, Duration& value, const Range<Duration>& range) {
  const Bounds limits = bounds(range, power);
  if (!check_number(node, limits)) return;
  std::optional<Duration> read;
  if (const auto picoseconds = scaled(parse_decimal(node.text), power)) read = Duration{*picoseconds};
  if (check_range(node, read, range, limits)) value = *read;
}

void Reader::duration(const Field& field, Duration& value, const Range<Duration>& range) {
  const int power = unit_power(field.key);
  const Node* node = take(field, in_words(bounds(range, power)));
  if (node == nullptr) return;
  within(field.key, [&] { read_duration(*node, power, value, range); });
}

void Reader::durations(const Field& field, std::vector<Duration>& values, const Range<Duration>& each) {
  const int power = unit_power(field.key);
  const Node* node = take_array(field, "an array of " + in_words_each(bounds(each, power)));
  if (node == nullptr) return;
  values.assign(node->items.size(), Duration{});
  within_items(field, *node, [&](std::size_t i) { read_duration(node->items[i], power, values[i], each); });
}

void Reader::read_indices(const Node& node, std::vector<std::int64_t>& values, const Range<std::int64_t>& each) {
  values.assign(node.items.size(), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    within(i, [&] { read_integer(node.items[i], values[i], each); });
  }
}

void Reader::index_lists(const Field& field, std::vector<std::vector<std::int64_t>>& lists,
                         const Range<std::int64_t>& each) {
  const std::string one = "an array of " + in_words_each(bounds(each));
  const Node* node = take_array(field, one + ", or an array of such arrays");
  if (node == nullptr) return;
  lists.clear();
  if (node->items.empty()) return;
  within(field.key, [&] {
    if (node->items.front().kind != Kind::array) return read_indices(*node, lists.emplace_back(), each);
    for (std::size_t i = 0; i < node->items.size(); ++i) {
      within(i, [&] {
        if (node->items[i].kind != Kind::array) return refuse(node->items[i], one, "type");
        read_indices(node->items[i], lists.emplace_back(), each);
      });
    }
  });
}

std::optional<std::size_t> Reader::read_choice(const Node& node, std::span<const Option> options) {
  const std::vector<std::string> names = names_of(options);
  const bool word = node.kind == Kind::string || (node.bare && node.is_number());
  const auto at = word ? std::find(names.begin(), names.end(), node.text) : names.end();
  if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
  refuse(node.place, pointer_, one_of(names), shown(node), word ? nearest(node.text, names) : "",
         word ? "option" : "type");
  return std::nullopt;
}

void Reader::choice(const Field& field, std::size_t& value, std::span<const Option> options) {
  const Node* node = take(field, one_of(names_of(options)));
  if (node == nullptr) return;
  within(field.key, [&] { value = read_choice(*node, options).value_or(value); });
}

void Reader::object(const Field& field, Part& part) {
  const Node* node = take(field, "an object");
  if (node == nullptr) return;
  within(field.key, [&] { read_object(*node, [&] { part.fields(*this); }); });
}

void Reader::list(const Field& field, PartList& parts) {
  const Node* node = take_array(field, "an array of objects");
  if (node == nullptr) return;
  within(field.key, [&] {
    if (node->items.size() > kMaxParts) {
      return refuse(node->place, pointer_, "at most " + std::to_string(kMaxParts) + " objects",
                    std::to_string(node->items.size()), {}, "limit");
    }
    // Emptied first: the parts there were are defaults of the list, not of the parts that are read.
    parts.resize(0);
    parts.resize(node->items.size());
    for (std::size_t i = 0; i < node->items.size(); ++i) {
      within(i, [&] { read_object(node->items[i], [&] { parts.fields(i, *this); }); });
    }
  });
}

void Reader::map(const Field& field, PartMap& parts) {
  const Node* node = take(field, "an object of objects");
  if (node == nullptr) return;
  within(field.key, [&] {
    if (node->kind != Kind::object) return refuse(*node, "an object of objects", "type");
    parts.clear();
    for (const Member& member : node->members) {
      within(member.key, [&] { read_object(member.value, [&] { parts.fields(member.key, *this); }); });
    }
  });
}

void Reader::alternatives(const Field& tag, Alternatives& parts) {
  const Node* node = take(tag, one_of(names_of(parts.options())));
  if (node != nullptr) {
    std::optional<std::size_t> option;
    within(tag.key, [&] { option = read_choice(*node, parts.options()); });
    if (option) parts.select(*option);
    scope_->open = scope_->open || !option;
  } else if (tag.required) {
    scope_->open = true;
  }
  if (!scope_->open) parts.fields(*this);
}

}  // namespace

void read(const Node& node, Part& part, Problems& problems, std::string pointer) {
  Reader reader{problems, std::move(pointer)};
  reader.read_object(node, [&] { part.fields(reader); });
}

}  // namespace vecusim::json
