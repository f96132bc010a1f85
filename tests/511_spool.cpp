// Spools: what comes back, from memory and from disk.
#include <string>
#include <vector>

#include "catch.hpp"
#include "system/spool.hpp"

using namespace vecusim;

namespace {

std::vector<std::string> read(Spool& spool) {
  std::vector<std::string> records;
  spool.read([&](std::string_view record) { records.emplace_back(record); });
  return records;
}

}  // namespace

TEST_CASE("A spool gives back its records in their order, whatever is in them and however many there are") {
  std::vector<std::string> records = {"", "one", std::string("a\0b\nc", 5), ""};
  SECTION("few") {}
  SECTION("more than memory is to hold") {
    for (std::size_t i = 0; i < 3000; ++i) records.emplace_back(i % 700, static_cast<char>('a' + i % 26));
  }
  SECTION("one that is larger than the buffer") { records.emplace_back(1'000'000, 'x'); }
  Spool spool;
  for (const std::string& record : records) spool.add(record);
  CHECK(read(spool) == records);
}

TEST_CASE("A spool without records gives none") {
  Spool spool;
  CHECK(read(spool).empty());
}

TEST_CASE("Small texts are handed on in large pieces, and nothing of them is lost") {
  std::string all;
  std::size_t pieces = 0;
  Pieces out([&](std::string_view piece) {
    all += piece;
    ++pieces;
  });
  std::string expected;
  for (int i = 0; i < 100'000; ++i) {
    const std::string text = std::to_string(i) + "\n";
    out.add(text);
    expected += text;
  }
  CHECK(pieces < 20);
  out.flush();
  out.flush();
  CHECK(all == expected);
}
