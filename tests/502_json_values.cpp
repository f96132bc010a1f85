// Nodes, exact decimals and printing.
#include <cmath>
#include <limits>

#include "catch.hpp"
#include "property.hpp"
#include "system/json_decimal.hpp"
#include "system/json_node.hpp"
#include "system/json_parse.hpp"
#include "system/json_print.hpp"

namespace vecusim::json {
namespace {

std::optional<std::int64_t> scaled_text(std::string_view number, int shift) {
  return scaled(parse_decimal(number), shift);
}

TEST_CASE("a decimal is scaled by powers of ten without an error") {
  CHECK(scaled_text("0.1", 12) == 100'000'000'000);
  CHECK(scaled_text("1.0000000000004", 12) == 1'000'000'000'000);
  CHECK(scaled_text("1.0000000000005", 12) == 1'000'000'000'001);
  CHECK(scaled_text("-0.5", 0) == -1);
  CHECK(scaled_text("0.49999999999999999999999999", 0) == 0);
  CHECK(scaled_text("1e3", 0) == 1000);
  CHECK(scaled_text("12500e-2", 0) == 125);
  CHECK(scaled_text("-0", 12) == 0);
  CHECK(scaled_text("0e99999999999999999999", 12) == 0);
  CHECK(scaled_text("1e-99999999999999999999", 12) == 0);
}

TEST_CASE("a decimal that does not fit 64 bits is not scaled") {
  CHECK(scaled_text("9223372036854775807", 0) == std::numeric_limits<std::int64_t>::max());
  CHECK(scaled_text("-9223372036854775808", 0) == std::numeric_limits<std::int64_t>::min());
  CHECK_FALSE(scaled_text("9223372036854775808", 0));
  CHECK_FALSE(scaled_text("-9223372036854775809", 0));
  CHECK_FALSE(scaled_text("9223372036854775807.5", 0));
  CHECK_FALSE(scaled_text("9223373", 12));
  CHECK_FALSE(scaled_text("1e300", 0));
  CHECK(scaled_magnitude(parse_decimal("18446744073709551615"), 0) == std::numeric_limits<std::uint64_t>::max());
  CHECK_FALSE(scaled_magnitude(parse_decimal("18446744073709551616"), 0));
  CHECK_FALSE(scaled_magnitude(parse_decimal("99999999999999999999"), 0));
}

TEST_CASE("a decimal is printed exactly and as short as it can be") {
  CHECK(print_decimal(1500, -3) == "1.5");
  CHECK(print_decimal(2000, -3) == "2");
  CHECK(print_decimal(1, -12) == "0.000000000001");
  CHECK(print_decimal(-1500, -6) == "-0.0015");
  CHECK(print_decimal(7, 2) == "700");
  CHECK(print_decimal(0, -12) == "0");
  CHECK(print_decimal(std::numeric_limits<std::int64_t>::min(), -12) == "-9223372.036854775808");
}

TEST_CASE("what is printed is scaled back to the same integer") {
  test::check_property(
      [](std::int64_t mantissa) {
        for (const int power : {0, 3, 6, 9, 12}) {
          RC_ASSERT(scaled(parse_decimal(print_decimal(mantissa, -power)), power) == mantissa);
        }
      },
      2000);
}

TEST_CASE("a whole number is an integer however it is written") {
  CHECK(Node::number("2.0").as_int64() == 2);
  CHECK(Node::number("2e1").as_int64() == 20);
  CHECK_FALSE(Node::number("2.5").as_int64());
  CHECK_FALSE(Node::number("1e30").as_int64());
  CHECK_FALSE(Node::string("2").as_int64());
  CHECK(Node::number("18446744073709551615").as_uint64() == std::numeric_limits<std::uint64_t>::max());
  CHECK_FALSE(Node::number("-1").as_uint64());
  CHECK(Node::number("-0").as_uint64() == 0U);
  CHECK(Node::number("18446744073709551616").kind == Kind::floating);
  CHECK(Node::number("-9223372036854775808").kind == Kind::integer);
}

TEST_CASE("a double is printed so that it reads back as the same double") {
  test::check_property(
      [](double value) {
        if (std::isfinite(value)) RC_ASSERT(Node::floating(value).as_double() == value);
      },
      2000);
  CHECK(Node::floating(0.1).text == "0.1");
  CHECK(Node::floating(1e22).text == "1e+22");
  CHECK(Node::floating(std::numeric_limits<double>::infinity()).kind == Kind::null);
  CHECK(Node::floating(std::nan("")).kind == Kind::null);
  CHECK(Node::number("1e-400").as_double() == 0);
}

TEST_CASE("an object is built, searched and changed by key") {
  Node node;
  node.set("a", Node::integer(1));
  node.set("b", Node::array({Node::boolean(true), Node{}}));
  node.set("a", Node::string("x"));
  CHECK(compact(node) == R"({"a": "x", "b": [true, null]})");
  CHECK(node.find("b")->items.size() == 2);
  CHECK(node.find("c") == nullptr);
  CHECK(node.erase("a"));
  CHECK_FALSE(node.erase("a"));
  CHECK(compact(node) == R"({"b": [true, null]})");
  Node list;
  list.push_back(Node::integer(7U));
  CHECK(compact(list) == "[7]");
}

TEST_CASE("nodes are equal if they say the same, wherever they stand") {
  Problems problems;
  const auto a = parse(R"({"x": [1, "y"], "z": false})", "a", problems);
  const auto b = parse("\n{\"x\":[1,\"y\"],\n\"z\":false}", "b", problems);
  CHECK(*a == *b);
  CHECK_FALSE(*a == Node::object());
  CHECK_FALSE(Node::integer(1) == Node::string("1"));
  CHECK_FALSE(Node::boolean(false) == Node::boolean(true));
}

TEST_CASE("strings are escaped as JSON demands, and bad UTF-8 is replaced") {
  CHECK(quoted("a\"\\/\b\n\r\t\x01\x7f") == R"("a\"\\/\u0008\n\r\t\u0001\u007f")");
  CHECK(quoted("é€\U0001F600") == "\"é€\U0001F600\"");
  CHECK(quoted("a\xFF\xC3") == "\"a\uFFFD\uFFFD\"");
  CHECK(quoted("\xED\xA0\x80") == "\"\uFFFD\uFFFD\uFFFD\"");
}

TEST_CASE("pretty printing keeps what fits 100 columns on one line") {
  Node list = Node::array();
  for (int i = 0; i < 40; ++i) list.push_back(Node::integer(100 + i));
  Node node = Node::object();
  node.set("short", Node::array({Node::integer(1), Node::object()}));
  node.set("long", list);
  const std::string text = pretty(node);
  CHECK(text.substr(0, 43) == "{\n  \"short\": [1, {}],\n  \"long\": [\n    100,\n");
  CHECK(text.substr(text.size() - 15) == "\n    139\n  ]\n}\n");
  CHECK(pretty(Node::array()) == "[]\n");
  CHECK(pretty(Node::integer(3)) == "3\n");
}

TEST_CASE("an array is on one line exactly if that has at most 100 columns with its comma") {
  for (std::size_t size = 40; size < 60; ++size) {
    const std::string half(size, 'x');
    Node node = Node::object();
    node.set("key", Node::array({Node::string("é" + half), Node::object({{"a", Node::string(half)}})}));
    node.set("other", Node::string(std::string(100, 'y')));
    const std::string line = R"(  "key": ["é)" + half + R"(", {"a": ")" + half + R"("}],)";
    const bool on_one_line = pretty(node).find(line) != std::string::npos;
    CHECK(on_one_line == (line.size() - 1 <= 100));  // é has two bytes
  }
}

TEST_CASE("a value is shown short") {
  CHECK(shown(Node::string(std::string(39, 'x') + "é")) == "\"" + std::string(39, 'x') + "é\"");
  CHECK(shown(Node::string(std::string(39, 'x') + "éy")) == "\"" + std::string(39, 'x') + "é…\"");
  CHECK(shown(Node::array({Node::integer(1)})) == "an array");
  CHECK(shown(Node::object()) == "an object");
  CHECK(shown(Node{}) == "null");
  CHECK(shown(Node::number(std::string(50, '1'))) == std::string(40, '1') + "…");
}

/// Random trees for the printers.
Node random_node(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 7 : 5)) {
    case 0:
      return {};
    case 1:
      return Node::boolean(*rc::gen::arbitrary<bool>());
    case 2:
      return Node::integer(*rc::gen::arbitrary<std::int64_t>());
    case 3:
      return Node::number(print_decimal(*rc::gen::arbitrary<std::int32_t>(), -5) + "e1");
    case 4:
      return Node::string(*rc::gen::container<std::string>(rc::gen::inRange<char>(0, 127)));
    case 5: {
      Node list = Node::array();
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i) list.push_back(random_node(depth - 1));
      return list;
    }
    default: {
      Node object = Node::object();
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
        object.set(*rc::gen::container<std::string>(rc::gen::inRange<char>(32, 127)), random_node(depth - 1));
      }
      return object;
    }
  }
}

TEST_CASE("both printed forms are parsed back to the same tree") {
  test::check_property(
      [] {
        const Node node = random_node(4);
        for (const std::string& text : {compact(node), pretty(node)}) {
          Problems problems;
          const auto back = parse(text, "s", problems);
          RC_ASSERT(back);
          RC_ASSERT(*back == node);
        }
      },
      500);
}

}  // namespace
}  // namespace vecusim::json
