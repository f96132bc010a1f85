// Parsing: where values and keys stand, and what is said of a text that is no JSON.
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

#include "catch.hpp"
#include "system/json_parse.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"

namespace vecusim::json {
namespace {

/// The problems of a text without the file's name.
std::string problems_of(std::string_view text) {
  Problems problems;
  (void)parse(text, "s", problems);
  return problems.text();
}

/// LINE:COLUMN of the value at `pointer`.
std::string place_of(const Node& root, std::string_view pointer) {
  const Node* node = find(root, pointer);
  REQUIRE(node != nullptr);
  return std::to_string(node->place.line) + ":" + std::to_string(node->place.column);
}

Node parsed(std::string_view text) {
  Problems problems;
  const std::optional<Node> node = parse(text, "s", problems);
  INFO(problems.text());
  REQUIRE(node);
  REQUIRE(problems.empty());
  return *node;
}

std::string repeated(std::string_view part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

TEST_CASE("every value and key knows the line and column of its first character") {
  const Node root = parsed("{\n  \"a\": [1, -2.5e3 ,\"x\\n\"],\n\t\"b\" : {\"c\":null,\"d\":true}\n}\n");
  CHECK(place_of(root, "") == "1:1");
  CHECK(place_of(root, "/a") == "2:8");
  CHECK(place_of(root, "/a/0") == "2:9");
  CHECK(place_of(root, "/a/1") == "2:12");
  CHECK(place_of(root, "/a/2") == "2:20");
  CHECK(place_of(root, "/b") == "3:8");
  CHECK(place_of(root, "/b/c") == "3:13");
  CHECK(place_of(root, "/b/d") == "3:22");
  CHECK(root.members[1].key_place.line == 3);
  CHECK(root.members[1].key_place.column == 2);
  CHECK(root.members[1].value.members[1].key_place.column == 18);
  CHECK(*root.place.file == "s");
}

TEST_CASE("columns count characters, not bytes") {
  const Node root = parsed("{\"ü€\U0001F600\": [\"é\", 7]}");
  CHECK(place_of(root, "/ü€\U0001F600") == "1:9");
  CHECK(place_of(root, "/ü€\U0001F600/1") == "1:15");
}

TEST_CASE("LF, CR LF and CR each end one line") {
  CHECK(place_of(parsed("[\r\n1,\r\n 2]"), "/1") == "3:2");
  CHECK(place_of(parsed("[\n\n1,2]"), "/1") == "3:3");
  CHECK(place_of(parsed("[\r1,\r2]"), "/1") == "3:1");
}

TEST_CASE("a byte-order mark is accepted and takes no column") {
  CHECK(place_of(parsed("\xEF\xBB\xBF{\"a\":1}"), "/a") == "1:6");
  CHECK(problems_of("\xEF\xBB{\"a\":1}") == "s:1:1: /: expected a JSON value, found the byte 0xEF\n");
}

TEST_CASE("numbers keep their text, and are integers if they are written so and fit 64 bits") {
  const Node root = parsed("[18446744073709551615, -9223372036854775808, 18446744073709551616, 1.0, 1e3, -0, 1E+2]");
  const std::vector<Kind> kinds{Kind::integer,  Kind::integer, Kind::floating, Kind::floating,
                                Kind::floating, Kind::integer, Kind::floating};
  for (std::size_t i = 0; i < kinds.size(); ++i) CHECK(root.items[i].kind == kinds[i]);
  CHECK(root.items[0].text == "18446744073709551615");
  CHECK(root.items[2].text == "18446744073709551616");
  CHECK(root.items[6].text == "1E+2");
  CHECK(parsed("12").text == "12");
  CHECK(parsed("[[12],13]").items[0].items[0].text == "12");
}

TEST_CASE("strings are unescaped") {
  CHECK(parsed(R"("a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00")").text == "a\"\\/\b\f\n\r\t\u00e9\U0001F600");
}

TEST_CASE("a syntax error says what could have stood there and what does") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "s:1:1: /: expected a JSON value, found the end of the text"},
      {" \n ", "s:2:2: /: expected a JSON value, found the end of the text"},
      {"{", "s:1:2: /: expected a key in double quotes or \"}\", found the end of the text"},
      {"[1", "s:1:3: /: expected \",\" or \"]\", found the end of the text"},
      {"[1,", "s:1:4: /: expected a JSON value after the comma, found the end of the text"},
      {"[1,]", "s:1:4: /: expected a JSON value after the comma, found \"]\""},
      {"{\"a\":1,}", "s:1:8: /: expected a key in double quotes after the comma, found \"}\""},
      {"{\"a\" 1}", "s:1:6: /a: expected \":\" after the key, found 1"},
      {"{\"a\":,", "s:1:6: /a: expected a JSON value, found \",\""},
      {"{\"a\":1 \"b\":2}", "s:1:8: /: expected \",\" or \"}\", found \"b\""},
      {"{'a':1}", "s:1:2: /: expected a key in double quotes or \"}\", found 'a'"},
      {"{\n  a: 1}", "s:2:3: /: expected a key in double quotes or \"}\", found a"},
      {"[012]", "s:1:3: /: expected \",\" or \"]\", found 12"},
      {"[.5]", "s:1:2: /0: expected a JSON value or \"]\", found .5"},
      {"[1.]", "s:1:2: /0: expected a JSON value or \"]\", found 1."},
      {"{\"a\":{\"b\":[1,nul]}}", "s:1:14: /a/b: expected a JSON value after the comma, found nul"},
      {"{\"a\":1} x", "s:1:9: /: expected nothing after the document, found x"},
      {"{\"a\":1}}", "s:1:8: /: expected nothing after the document, found \"}\""},
      {"[1] // c", "s:1:5: /: expected nothing after the document, found //"},
      {"{\"a\":1/*c*/}", "s:1:7: /: expected \",\" or \"}\", found /*c*/"},
  };
  for (const auto& [text, expected] : cases) {
    INFO(text);
    CHECK(problems_of(text) == expected + "\n");
  }
}

TEST_CASE("numbers that JSON or a double cannot have are refused by name") {
  CHECK(problems_of("[NaN]") == "s:1:2: /0: expected a JSON value or \"]\", found NaN\n");
  CHECK(problems_of("{\"a\": -Infinity}") == "s:1:7: /a: expected a JSON value, found -Infinity\n");
  CHECK(problems_of("{\"a\": 1e999}") == "s:1:7: /a: expected a number of at most 1.8e308, found 1e999\n");
  CHECK(problems_of("[-" + std::string(400, '9') + "]").substr(0, 55) ==
        "s:1:2: /0: expected a number of at most 1.8e308, found ");
}

TEST_CASE("what is wrong inside a string is located there") {
  CHECK(problems_of("{\"a\": \"xyz") ==
        "s:1:7: /a: expected a string with a closing quote, found none before the end of the text\n");
  CHECK(problems_of("{\"a\": \"xyz\n}") ==
        "s:1:7: /a: expected a string with a closing quote, found none before the end of the line\n");
  CHECK(problems_of("[\"a\tb\"]") ==
        "s:1:4: /0: expected an escape like \\t for a control character, found the byte 0x09\n");
  CHECK(problems_of("[\"a\\qb\"]") ==
        "s:1:4: /0: expected one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u, found \\q\n");
  CHECK(problems_of("[\"\\u12\"]") == "s:1:3: /0: expected \\u and four hexadecimal digits, found \\u12\"\n");
  CHECK(problems_of("[\"\\ud800x\"]") ==
        "s:1:3: /0: expected a pair of surrogates \\uD800-\\uDBFF \\uDC00-\\uDFFF, found \\ud800x\n");
}

TEST_CASE("bytes that are no UTF-8 are located") {
  CHECK(problems_of("[\"é\xFF\"]") == "s:1:4: /0: expected UTF-8, found the byte 0xFF\n");
  CHECK(problems_of("[\"\xC3(\"]") == "s:1:3: /0: expected UTF-8, found the byte 0xC3\n");         // cut short
  CHECK(problems_of("[\"\xC0\x80\"]") == "s:1:3: /0: expected UTF-8, found the byte 0xC0\n");      // overlong
  CHECK(problems_of("[\"\xED\xA0\x80\"]") == "s:1:3: /0: expected UTF-8, found the byte 0xED\n");  // a surrogate
  CHECK(problems_of("[\xFF]") == "s:1:2: /0: expected a JSON value or \"]\", found the byte 0xFF\n");
  CHECK(problems_of("\xFF\xFE{") == "s:1:1: /: expected UTF-8, found UTF-16\n");
  CHECK(problems_of(std::string_view{"[1]\0x", 5}) == "s:1:4: /: expected JSON text, found a NUL character\n");
}

TEST_CASE("a key given twice is reported at its second place, and the first counts") {
  Problems problems;
  const auto node = parse("{\"b\":1,\n \"a\":2,\n \"b\":3, \"c\":{\"a\":1,\"a\":2}}", "s", problems);
  CHECK(problems.text() ==
        "s:3:2: /b: expected each key once, found \"b\" again (first at 1:2)\n"
        "s:3:20: /c/a: expected each key once, found \"a\" again (first at 3:14)\n");
  CHECK(problems.kept().front().rule == "duplicate-key");
  REQUIRE(node);
  CHECK(compact(*node) == R"({"b": 1, "a": 2, "c": {"a": 1}})");
}

TEST_CASE("64 levels are read and the 65th is refused") {
  CHECK(problems_of(repeated("[", 64) + repeated("]", 64)).empty());
  const std::string problem = problems_of(repeated("[", 65) + repeated("]", 65));
  CHECK(problem.substr(0, 8) == "s:1:65: ");
  CHECK(problem.find("expected at most 64 arrays and objects within each other, found more") != std::string::npos);
}

TEST_CASE("neither a million levels nor a hundred megabytes take long to refuse") {
  const std::string levels = repeated("{\"a\":[", 500'000);
  const std::string blanks(100'000'000, ' ');
  const std::clock_t start = std::clock();
  CHECK(problems_of(levels).find("at most 64 arrays") != std::string::npos);
  CHECK(problems_of(blanks) == "s:1:1: /: expected at most 16 MiB, found more\n");
  CHECK(std::clock() - start < CLOCKS_PER_SEC);
}

TEST_CASE("more than two million values are refused") {
  const std::string problem = problems_of(repeated("[", 1) + repeated("1,", 2'000'001) + "1]");
  CHECK(problem == "s:1:4000002: /: expected at most 2000000 values, found more\n");
}

/// A folder that is gone at the end of the test.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("vecusim-501-" + std::to_string(::getpid()))) {
    std::filesystem::create_directory(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const std::string& name, std::string_view content) const {
    std::ofstream{path_ / name, std::ios::binary} << content;
    return (path_ / name).string();
  }
  std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string problems_of_file(const std::string& path) {
  Problems problems;
  (void)read_file(path, problems);
  return problems.text();
}

TEST_CASE("a file is read under the name that was given") {
  const Folder folder;
  const std::string path = folder.file("a.json", "{\"x\": [1]}");
  Problems problems;
  const auto node = read_file(path, problems);
  REQUIRE(node);
  CHECK(find(*node, "/x/0")->place.file_name() == path);
}

TEST_CASE("a missing file is reported with the near name that is there") {
  const Folder folder;
  folder.file("brake.json", "{}");
  const std::string missing = folder.path("brakes.json");
  CHECK(problems_of_file(missing) == missing +
                                         ":1:1: /: expected a readable file, found none of that name; did you mean \"" +
                                         folder.path("brake.json") + "\"?\n");
  const std::string bare = folder.path("brake");
  CHECK(problems_of_file(bare) == bare + ":1:1: /: expected a readable file, found none of that name; did you mean \"" +
                                      folder.path("brake.json") + "\"?\n");
  const std::string other = folder.path("something");
  CHECK(problems_of_file(other) == other + ":1:1: /: expected a readable file, found none of that name\n");
  CHECK(problems_of_file("/no/such/folder/x").find("found none of that name") != std::string::npos);
}

TEST_CASE("a folder is no file") {
  const Folder folder;
  const std::string path = folder.path("");
  CHECK(problems_of_file(path) == path + ":1:1: /: expected a readable file, found a folder\n");
}

TEST_CASE("a file that may not be read is reported so") {
  const Folder folder;
  const std::string path = folder.file("secret.json", "{}");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const bool root = ::geteuid() == 0;
  constexpr uid_t kNobody = 65534;
  if (root) REQUIRE(::seteuid(kNobody) == 0);
  const std::string problems = problems_of_file(path);
  if (root) REQUIRE(::seteuid(0) == 0);
  CHECK(problems == path + ":1:1: /: expected a readable file, found no permission to read it\n");
}

TEST_CASE("a file of 20 MB is refused without being read") {
  const Folder folder;
  const std::string path = folder.file("big.json", "[");
  std::filesystem::resize_file(path, 20'000'000);
  CHECK(problems_of_file(path) == path + ":1:1: /: expected at most 16 MiB, found 20000000 bytes\n");
  CHECK(problems_of_file("/dev/zero") == "/dev/zero:1:1: /: expected at most 16 MiB, found more\n");
}

TEST_CASE("a stream is read to its end") {
  Problems problems;
  std::istringstream in{"[1,\n 2]"};
  const auto node = read_stream(in, "-", problems);
  REQUIRE(node);
  CHECK(place_of(*node, "/1") == "2:2");
}

}  // namespace
}  // namespace vecusim::json
