// JSON pointers: finding, and patching a tree.
#include "catch.hpp"
#include "system/json_parse.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"

namespace vecusim::json {
namespace {

Node tree(std::string_view text) {
  Problems problems;
  const auto node = parse(text, "s.json", problems);
  REQUIRE(node);
  return *node;
}

/// The tree after setting a number that stands in column 9 of an option, or the problem.
std::string after_set(std::string_view text, std::string_view pointer) {
  Node root = tree(text);
  Node value = Node::integer(5);
  value.place = {std::make_shared<const std::string>("--set"), 1, 9};
  Problems problems;
  set(root, pointer, value, problems);
  if (problems.empty()) return compact(root);
  CHECK(root == tree(text));
  return problems.text();
}

TEST_CASE("a pointer is split at slashes and unescaped") {
  using Tokens = std::vector<std::string>;
  CHECK(*parse_pointer("") == Tokens{});
  CHECK(*parse_pointer("/") == Tokens{""});
  CHECK(*parse_pointer("/a//b") == Tokens{"a", "", "b"});
  CHECK(*parse_pointer("/a~1b/~0~01") == Tokens{"a/b", "~~1"});
  CHECK_FALSE(parse_pointer("a"));
  CHECK_FALSE(parse_pointer("/a~"));
  CHECK_FALSE(parse_pointer("/a~2"));
  CHECK(child(child("/x", "a/b~c"), 3) == "/x/a~1b~0c/3");
}

TEST_CASE("the examples of RFC 6901 are found") {
  const Node root =
      tree(R"({"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8})");
  CHECK(find(root, "") == &root);
  CHECK(find(root, "/foo")->items.size() == 2);
  CHECK(find(root, "/foo/0")->text == "bar");
  CHECK(find(root, "/")->text == "0");
  CHECK(find(root, "/a~1b")->text == "1");
  CHECK(find(root, "/c%d")->text == "2");
  CHECK(find(root, "/e^f")->text == "3");
  CHECK(find(root, "/g|h")->text == "4");
  CHECK(find(root, "/i\\j")->text == "5");
  CHECK(find(root, "/k\"l")->text == "6");
  CHECK(find(root, "/ ")->text == "7");
  CHECK(find(root, "/m~0n")->text == "8");
}

TEST_CASE("what is not there is not found") {
  const Node root = tree(R"({"a": [1, {"b": 2}]})");
  for (const char* pointer : {"/b", "/a/2", "/a/-", "/a/01", "/a/+1", "/a/0/x", "/a/1/c", "a"}) {
    INFO(pointer);
    CHECK(find(root, pointer) == nullptr);
  }
}

TEST_CASE("a value is replaced, added or appended") {
  CHECK(after_set(R"({"a": {"b": 1}})", "/a/b") == R"({"a": {"b": 5}})");
  CHECK(after_set(R"({"a": {"b": 1}})", "/a/c") == R"({"a": {"b": 1, "c": 5}})");
  CHECK(after_set(R"({"a": [1, 2]})", "/a/1") == R"({"a": [1, 5]})");
  CHECK(after_set(R"({"a": [1]})", "/a/-") == R"({"a": [1, 5]})");
  CHECK(after_set(R"({"a": 1})", "") == "5");
}

TEST_CASE("objects and arrays on the way are made") {
  CHECK(after_set("{}", "/a/b/c") == R"({"a": {"b": {"c": 5}}})");
  CHECK(after_set("{}", "/a/-/b") == R"({"a": [{"b": 5}]})");
  CHECK(after_set(R"({"a": null})", "/a/b") == R"({"a": {"b": 5}})");
}

TEST_CASE("a pointer that leads nowhere is a problem where the value stands, and nothing is changed") {
  CHECK(after_set(R"({"a": [1, 2]})", "/a/2") ==
        "--set:1:9: /a: expected an index from 0 to 1 or \"-\", found \"2\"\n");
  CHECK(after_set(R"({"a": []})", "/a/0") == "--set:1:9: /a: expected \"-\" (the array is empty), found \"0\"\n");
  CHECK(after_set(R"({"a": [1]})", "/a/x/y") == "--set:1:9: /a: expected an index from 0 to 0 or \"-\", found \"x\"\n");
  CHECK(after_set(R"({"a": {"b": 1}})", "/a/b/c") ==
        "--set:1:9: /a/b: expected an object or an array to put \"c\" into, found 1\n");
  CHECK(after_set("{}", "a") == "--set:1:9: /: expected a JSON pointer like /run/seed, found \"a\"\n");
}

TEST_CASE("a pointer of more than 64 levels is refused") {
  std::string pointer;
  for (int i = 0; i < 65; ++i) pointer += "/a";
  CHECK(after_set("{}", pointer) == "--set:1:9: /: expected at most 64 levels, found 65\n");
  CHECK(after_set("{}", pointer.substr(2)).substr(0, 12) == R"({"a": {"a": )");
}

TEST_CASE("all that is made stands where the value stands") {
  Node root = tree("{}");
  Node value = Node::integer(5);
  value.place = {std::make_shared<const std::string>("--set"), 1, 9};
  Problems problems;
  set(root, "/a/b", value, problems);
  const Member& made = root.members.front();
  CHECK(made.key_place.file_name() == "--set");
  CHECK(made.value.place.column == 9);
  CHECK(made.value.members.front().key_place.column == 9);
  CHECK(root.place.file_name() == "s.json");
}

}  // namespace
}  // namespace vecusim::json
