// FieldVisitor's typed forms: what a configuration struct may write, seen by a visitor that reads and one that writes.
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catch.hpp"
#include "engine/fields.hpp"

using namespace vecusim;

namespace {

enum class Mode : std::uint8_t { off, slow, fast };
constexpr std::array<Option, 3> kModes = {Option{"off", "Nothing."}, Option{"slow", "A little."},
                                          Option{"fast", "Everything."}};

struct Inner {
  std::uint8_t small = 1;
  void fields(FieldVisitor& visit) { visit.integer({"small", "A byte."}, small, Range<std::uint8_t>{0, 200, {}}); }
};

struct Outer final : ConfigOf<Outer> {
  bool enabled = true;
  std::uint64_t seed = 7;
  std::uint16_t count = 3;
  Mode mode = Mode::slow;
  Duration slice = 10ms;
  std::optional<Duration> cap;
  Inner one;
  std::vector<Inner> many;
  std::map<std::string, Inner> named;

  void fields(FieldVisitor& visit) override {
    visit.flag({"enabled", "On or off."}, enabled);
    visit.integer({"seed", "Any."}, seed, at_least<std::uint64_t>(0));
    visit.integer({"count", "Some.", true}, count, Range<std::uint16_t>{1, 500, 1000});
    visit.choice({"mode", "How."}, mode, kModes);
    visit.duration({"slice_us", "How long."}, slice, off_or(100us, 500ms));
    const Field cap_field{"cap_us", "At most."};
    visit.optional(cap_field, cap, [&](Duration& value) { visit.duration(cap_field, value, whole(1us, 1s)); });
    visit.object({"one", "One."}, one);
    visit.list({"many", "Several."}, many);
    visit.map({"named", "By name."}, named);
    visit.require(count < 900, "count", "less than 900");
  }
};

/// Implements what the tests below do not look at.
class Visitor : public FieldVisitor {
 public:
  void flag(const Field&, bool&) override {}
  void text(const Field&, std::string&) override {}
  void integer(const Field&, std::int64_t&, const Range<std::int64_t>&) override {}
  void number(const Field&, double&, const Range<double>&) override {}
  void duration(const Field&, Duration&, const Range<Duration>&) override {}
  void choice(const Field&, std::size_t&, std::span<const Option>) override {}
  void durations(const Field&, std::vector<Duration>&, const Range<Duration>&) override {}
  void numbers(const Field&, std::vector<double>&, const Range<double>&) override {}
  void texts(const Field&, std::vector<std::string>&) override {}
  void index_lists(const Field&, std::vector<std::vector<std::int64_t>>&, const Range<std::int64_t>&) override {}
  void object(const Field&, Part& part) override { part.fields(*this); }
  void list(const Field&, PartList&) override {}
  void map(const Field&, PartMap&) override {}
  void alternatives(const Field&, Alternatives&) override {}
  bool wants(const Field&, bool set) override { return set; }
  void require(bool, std::string_view, std::string_view) override {}
};

/// Writes all it sees as text, as the JSON writer does.
class Writer final : public Visitor {
 public:
  using Visitor::choice;
  using Visitor::duration;
  using Visitor::integer;
  using Visitor::list;
  using Visitor::map;
  using Visitor::object;

  void flag(const Field& field, bool& value) override { write(field, value ? "true" : "false"); }
  void integer(const Field& field, std::int64_t& value, const Range<std::int64_t>& range) override {
    write(field, std::to_string(value));
    ranges[std::string(field.key)] = range;
  }
  void choice(const Field& field, std::size_t& value, std::span<const Option> options) override {
    write(field, std::string(options[value].name));
  }
  void duration(const Field& field, Duration& value, const Range<Duration>&) override {
    write(field, std::to_string(value / 1us));
  }
  void object(const Field& field, Part& part) override {
    text += std::string(field.key) + "{";
    part.fields(*this);
    text += "} ";
  }
  void list(const Field& field, PartList& parts) override {
    text += std::string(field.key) + "[";
    for (std::size_t i = 0; i < parts.size(); ++i) parts.fields(i, *this);
    text += "] ";
  }
  void map(const Field& field, PartMap& parts) override {
    text += std::string(field.key) + "(";
    for (const std::string& name : parts.names()) {
      text += name + ":";
      parts.fields(name, *this);
    }
    text += ") ";
  }
  void require(bool ok, std::string_view key, std::string_view) override {
    if (!ok) text += "bad " + std::string(key) + " ";
  }

  std::string text;
  std::map<std::string, Range<std::int64_t>> ranges;

 private:
  void write(const Field& field, const std::string& value) { text += std::string(field.key) + "=" + value + " "; }
};

/// Sets every integer to 42, takes the last option, asks for whatever is optional and makes two of each list and map.
class Reader final : public Visitor {
 public:
  void integer(const Field&, std::int64_t& value, const Range<std::int64_t>&) override { value = 42; }
  void choice(const Field&, std::size_t& value, std::span<const Option> options) override {
    value = options.size() - 1;
  }
  void duration(const Field&, Duration& value, const Range<Duration>&) override { value = 1ms; }
  void list(const Field&, PartList& parts) override {
    parts.resize(2);
    for (std::size_t i = 0; i < 2; ++i) parts.fields(i, *this);
  }
  void map(const Field&, PartMap& parts) override {
    parts.clear();
    parts.fields("y", *this);
    parts.fields("x", *this);
  }
  bool wants(const Field&, bool) override { return true; }
};

std::string written(Config& config) {
  Writer writer;
  config.fields(writer);
  return writer.text;
}

}  // namespace

TEST_CASE("a writer sees every field with its value, and optional ones only if they are set") {
  Outer outer;
  CHECK(written(outer) == "enabled=true seed=7 count=3 mode=slow slice_us=10000 one{small=1 } many[] named() ");
  outer.cap = 5us;
  outer.many.resize(1);
  outer.named["b"].small = 2;
  outer.named["a"];
  outer.count = 950;
  CHECK(written(outer) ==
        "enabled=true seed=7 count=950 mode=slow slice_us=10000 cap_us=5 one{small=1 } many[small=1 ] "
        "named(a:small=1 b:small=2 ) bad count ");
}

TEST_CASE("a reader sets every field through the same function") {
  Outer outer;
  outer.named["old"];
  Reader reader;
  outer.fields(reader);
  CHECK(written(outer) ==
        "enabled=true seed=42 count=42 mode=fast slice_us=1000 cap_us=1000 one{small=42 } many[small=42 small=42 ] "
        "named(x:small=42 y:small=42 ) ");
}

TEST_CASE("an optional field that is not wanted is unset") {
  Outer outer;
  outer.cap = 5us;
  struct : Visitor {
    bool wants(const Field&, bool) override { return false; }
  } reader;
  outer.fields(reader);
  CHECK_FALSE(outer.cap.has_value());
}

TEST_CASE("ranges of narrow integers reach the visitor as they are, those of wide ones as far as they can") {
  Outer outer;
  Writer writer;
  outer.fields(writer);
  CHECK(writer.ranges["small"].lo == 0);
  CHECK(writer.ranges["small"].hi == 200);
  CHECK(writer.ranges["count"].also == 1000);
  CHECK(writer.ranges["seed"].hi == std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("a configuration clones itself through its base class") {
  Outer outer;
  outer.count = 99;
  const Config& base = outer;
  const std::unique_ptr<Config> copy = base.clone();
  outer.count = 1;
  CHECK(dynamic_cast<Outer&>(*copy).count == 99);
}

TEST_CASE("off_or() and whole() say what they are for") {
  CHECK(off_or(100us, 500ms).also == Duration::zero());
  CHECK(off_or(100us, 500ms).whole);
  CHECK(whole(1us, 2us).whole);
  CHECK_FALSE(whole(1us, 2us).also.has_value());
  CHECK(at_least(3us).lo == 3us);
  CHECK(at_least(Duration{3us}).hi == Duration::max());
}
