// Builds the located tree from the events of nlohmann's parser, which keeps no positions itself: a counting iterator
// does.
#include "system/json_parse.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include <nlohmann/json.hpp>

#include "system/json_pointer.hpp"
#include "system/json_print.hpp"
#include "system/json_syntax.hpp"
#include "system/text_cursor.hpp"

namespace vecusim::json {
namespace {

constexpr std::string_view kInNumbers = "+-.0123456789Ee";

/// Reads characters and leaves its position where the handler of the events can see it.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(std::string_view text, std::size_t& offset) : text_(text), offset_(&offset) {}

  reference operator*() const { return text_[*offset_]; }
  CountingIterator& operator++() {
    ++*offset_;
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return *offset_ == *other.offset_; }
  bool operator!=(const CountingIterator& other) const { return !(*this == other); }

 private:
  std::string_view text_;
  std::size_t* offset_;
};

/// The handler of the parser's events. When one arrives, the lexer has read just past its token (one character more for
/// a number), and between two tokens with events stands nothing but blanks and at most one comma or colon: that gives
/// every place.
class Builder {
 public:
  Builder(std::string_view text, const Place& start, Problems& problems)
      : text_(text), end_(text.size()), cursor_(text, start), problems_(problems) {
    syntax_.end_of_last = cursor_.offset();
  }

  std::optional<Node> build() {
    CountingIterator first{text_, offset_};
    CountingIterator last{text_, end_};
    if (!nlohmann::json::sax_parse(first, last, this)) return std::nullopt;
    return std::move(root_);
  }

  // The parser's events.
  bool null() { return add(Node{}); }
  bool boolean(bool value) { return add(Node::boolean(value)); }
  bool number_integer(std::int64_t) { return add_number(Kind::integer); }
  bool number_unsigned(std::uint64_t) { return add_number(Kind::integer); }
  bool number_float(double, const std::string&) { return add_number(Kind::floating); }
  bool string(std::string& value) { return add(Node::string(std::move(value))); }
  bool binary(nlohmann::json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Kind::object); }
  bool start_array(std::size_t) { return open(Kind::array); }
  bool end_array() { return close(); }
  bool key(std::string& value);
  bool end_object();
  bool parse_error(std::size_t read, const std::string& token, const nlohmann::json::exception& error);

 private:
  /// An array or object that is not closed yet.
  struct Open {
    Node node;
    std::string key;
    Place key_place;
  };

  const Place& place_of_token();
  bool add(Node node);
  bool add_number(Kind kind);
  bool open(Kind kind);
  bool close();
  bool attach(Node node);
  /// The pointer of what is being read.
  std::string pointer_within() const;
  bool refuse(const Place& place, std::string pointer, Surprise surprise, std::string rule);

  std::string_view text_;
  std::size_t offset_ = 0;
  std::size_t end_;
  TextCursor cursor_;
  SyntaxState syntax_;
  std::vector<Open> open_;
  std::size_t values_ = 0;
  Node root_;
  Problems& problems_;
};

const Place& Builder::place_of_token() {
  cursor_.advance_to(skip_to_token(text_, syntax_));
  return cursor_.place();
}

bool Builder::add(Node node) {
  node.place = place_of_token();
  syntax_.end_of_last = offset_;
  return attach(std::move(node));
}

bool Builder::add_number(Kind kind) {
  Node node;
  node.kind = kind;
  node.place = place_of_token();
  const std::size_t start = cursor_.offset();
  // The lexer knows that a number is over by the character after it, if there is one.
  const bool to_the_end = offset_ == end_ && kInNumbers.find(text_.back()) != std::string_view::npos;
  syntax_.end_of_last = to_the_end ? end_ : offset_ - 1;
  node.text = text_.substr(start, syntax_.end_of_last - start);
  return attach(std::move(node));
}

bool Builder::attach(Node node) {
  syntax_.last = Last::value;
  if (++values_ > kMaxValues) {
    return refuse(node.place, pointer_within(), {"at most " + std::to_string(kMaxValues) + " values", "more"}, "limit");
  }
  if (open_.empty()) {
    root_ = std::move(node);
  } else if (Open& parent = open_.back(); parent.node.kind == Kind::array) {
    parent.node.items.push_back(std::move(node));
  } else {
    parent.node.members.push_back({std::move(parent.key), std::move(node), parent.key_place});
    parent.key.clear();
  }
  return true;
}

bool Builder::open(Kind kind) {
  const Place place = place_of_token();
  if (open_.size() == kMaxDepth) {
    const std::string limit = "at most " + std::to_string(kMaxDepth) + " arrays and objects within each other";
    return refuse(place, pointer_within(), {limit, "more"}, "limit");
  }
  Open container;
  container.node.kind = kind;
  container.node.place = place;
  open_.push_back(std::move(container));
  syntax_ = {offset_, Last::start, kind};
  return true;
}

bool Builder::close() {
  Node node = std::move(open_.back().node);
  open_.pop_back();
  syntax_.end_of_last = offset_;
  syntax_.within = open_.empty() ? Kind::null : open_.back().node.kind;
  return attach(std::move(node));
}

bool Builder::key(std::string& value) {
  open_.back().key_place = place_of_token();
  open_.back().key = std::move(value);
  syntax_.end_of_last = offset_;
  syntax_.last = Last::key;
  return true;
}

/// Reports and removes members whose key was there before.
bool Builder::end_object() {
  std::vector<Member>& members = open_.back().node.members;
  std::vector<std::size_t> order(members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return members[a].key < members[b].key; });
  std::vector<bool> repeated(members.size());
  std::size_t first = 0;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const Member& member = members[order[i]];
    if (members[order[first]].key != member.key) {
      first = i;
      continue;
    }
    repeated[order[i]] = true;
    if (problems_.full()) {
      problems_.add({});
      continue;
    }
    const Place& before = members[order[first]].key_place;
    refuse(member.key_place, child(pointer_within(), member.key),
           {"each key once", shown(Node::string(member.key)) + " again (first at " + std::to_string(before.line) + ":" +
                                 std::to_string(before.column) + ")"},
           "duplicate-key");
  }
  std::size_t index = 0;
  std::erase_if(members, [&](const Member&) { return repeated[index++]; });
  return close();
}

bool Builder::parse_error(std::size_t read, const std::string&, const nlohmann::json::exception& error) {
  const SyntaxError found = explain_syntax_error(text_, syntax_, read, error.what());
  cursor_.advance_to(found.offset);
  return refuse(cursor_.place(), pointer_within(), found.surprise, "syntax");
}

std::string Builder::pointer_within() const {
  std::string pointer;
  for (std::size_t i = 0; i < open_.size(); ++i) {
    const Open& container = open_[i];
    const bool innermost = i + 1 == open_.size();
    if (container.node.kind == Kind::array) {
      if (!innermost || syntax_.last == Last::start) pointer = child(pointer, container.node.items.size());
    } else if (!innermost || syntax_.last == Last::key) {
      pointer = child(pointer, container.key);
    }
  }
  return pointer;
}

/// Always false, which stops the parser.
bool Builder::refuse(const Place& place, std::string pointer, Surprise surprise, std::string rule) {
  problems_.add({place,
                 std::move(pointer),
                 std::move(surprise.expected),
                 std::move(surprise.found),
                 {},
                 Severity::error,
                 std::move(rule)});
  return false;
}

}  // namespace

std::optional<Node> parse(std::string_view text, std::string_view name, Problems& problems) {
  return parse_at(text, {std::make_shared<const std::string>(name), 1, 1}, problems);
}

std::optional<Node> parse_at(std::string_view text, const Place& at, Problems& problems) {
  if (const std::optional<SyntaxError> error = explain_no_json_at_all(text)) {
    TextCursor cursor{text, at};
    cursor.advance_to(error->offset);
    problems.add({cursor.place(), {}, error->surprise.expected, error->surprise.found, {}, Severity::error, "syntax"});
    return std::nullopt;
  }
  return Builder{text, at, problems}.build();
}

}  // namespace vecusim::json
