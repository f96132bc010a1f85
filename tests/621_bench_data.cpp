// Bench data: what is read, and how a bad record is reported.
#include <sstream>
#include <string>

#include "analysis/bench_data.hpp"
#include "catch.hpp"

using namespace vecusim;

namespace {

BenchData read(const std::string& text) {
  std::istringstream in{text};
  return read_bench_data(in, "bench.csv");
}

BenchSamples samples_of(const std::string& text) { return std::get<BenchSamples>(read(text).content); }
std::vector<BenchRow> rows_of(const std::string& text) { return std::get<std::vector<BenchRow>>(read(text).content); }

/// All problems, as the user sees them.
std::string problems_of(const std::string& text) {
  try {
    read(text);
  } catch (const InvalidInput& invalid) {
    return invalid.problems().text();
  }
  return {};
}

std::string warnings_of(const std::string& text) { return read(text).warnings.text(); }

}  // namespace

TEST_CASE("a latency column is a sample, and an empty line in it a missed edge") {
  const BenchSamples samples = samples_of("latency_us\n175.5\n\n182\n0\n");
  CHECK(samples.latencies == std::vector<Duration>{175us + 500ns, 182us, 0us});
  CHECK(samples.missed == 1);
  CHECK(samples.step == 100ns);
}

TEST_CASE("stamps are subtracted exactly, even if they count microseconds since 1970") {
  const BenchSamples samples =
      samples_of("seq,t_out_us,t_in_us\n0,1669852800000000.25,1669852800000175.5\n1,1669852801000000,\n");
  CHECK(samples.latencies == std::vector<Duration>{175us + 250ns});
  CHECK(samples.missed == 1);
}

TEST_CASE("a difference of two stamps has twice their step") {
  CHECK(samples_of("t_out_us,t_in_us\n1,3\n10,13\n").step == 2us);
  CHECK(samples_of("latency_us\n2\n3\n").step == 1us);
}

TEST_CASE("columns may stand in any order and in any unit of time") {
  CHECK(samples_of("t_in_ms,t_out_s,seq\n1002,1,5\n").latencies == std::vector<Duration>{2ms});
  CHECK(samples_of("seq,latency_ns\n1,18.5\n").latencies == std::vector<Duration>{Duration{18500}});
}

TEST_CASE("a step that many values have in common is the print step") {
  std::string text = "latency_us\n";
  for (int i = 1; i <= 12; ++i) text += std::to_string(1000 + 10 * i) + "\n";
  CHECK(samples_of(text).step == 10us);
  // Two values prove nothing: both are multiples of 10 by chance.
  CHECK(samples_of("latency_us\n1010\n1020\n").step == 1us);
}

TEST_CASE("CR LF, a byte-order mark, blanks, remarks and a missing last line end make no difference") {
  const std::vector<Duration> expected = {175us, 182us};
  CHECK(samples_of("\xEF\xBB\xBFlatency_us\r\n175\r\n182\r\n").latencies == expected);
  CHECK(samples_of("# from the bench\n latency_us \n\t175 \n# again\n182").latencies == expected);
}

TEST_CASE("a latency may be written with an exponent, and is rounded to a picosecond") {
  CHECK(samples_of("latency_s\n5e-05\n").latencies == std::vector<Duration>{50us});
  CHECK(samples_of("latency_s\n1.82E-4\n").step == 1us);
  CHECK(samples_of("latency_us\n0.0000004\n0.0000005\n").latencies == std::vector<Duration>{Duration{0}, Duration{1}});
}

TEST_CASE("a table has one experiment per line, each figure with the step of its own digits") {
  const auto rows = rows_of("row,n,min_ms,mean_ms,max_ms,lost\nnative,100,0.175,0.182,0.27,\nother,5,1,,3,2\n");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].name == "native");
  CHECK(rows[0].n == 100);
  CHECK(rows[0].figures.at(Statistic::min) == Figure{175us, 1us});
  CHECK(rows[0].figures.at(Statistic::max) == Figure{270us, 10us});
  CHECK(!rows[0].lost);
  CHECK(rows[1].figures.count(Statistic::mean) == 0);
  CHECK(rows[1].lost == 2);
  CHECK(rows[1].place.line == 3);
}

TEST_CASE("rows without names are numbered") {
  const auto rows = rows_of("n,min_us,mean_us,max_us\n100,175,182,270\n100,180,190,300\n");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].name == "1");
  CHECK(rows[1].name == "2");
}

TEST_CASE("every bad record is reported with its place, and none is skipped") {
  CHECK(problems_of("latency_us\n175\nabc\n182\n-3\nnan\n") ==
        "bench.csv:3:1: /latency_us: expected a number, with a decimal point if any, found \"abc\"\n"
        "bench.csv:5:1: /latency_us: expected at least 0, found \"-3\"\n"
        "bench.csv:6:1: /latency_us: expected a number, with a decimal point if any, found \"nan\"\n");
}

TEST_CASE("an answer before its edge is refused where it stands") {
  CHECK(problems_of("seq,t_out_us,t_in_us\n0, 100, 90\n") ==
        "bench.csv:2:9: /t_in_us: expected at least t_out_us = 100, found \"90\"\n");
}

TEST_CASE("an edge without the time at which it went out is refused") {
  CHECK(problems_of("seq,t_out_us,t_in_us\n0,,90\n") ==
        "bench.csv:2:3: /t_out_us: expected a number, with a decimal point if any, found nothing\n");
}

TEST_CASE("sequence numbers must ascend, and a gap is a warning") {
  CHECK(problems_of("seq,latency_us\n4,1\n4,1\n3,1\n") ==
        "bench.csv:3:1: /seq: expected more than 4, found \"4\"\n"
        "bench.csv:4:1: /seq: expected more than 4, found \"3\"\n");
  const std::string gap = "seq,latency_us\n4,1\n7,2\n";
  CHECK(samples_of(gap).missed == 0);
  CHECK(warnings_of(gap) ==
        "bench.csv:3:1: /seq: expected 5 (the edges between are not counted as missed), found \"7\" "
        "[warning: bench-data]\n");
  CHECK(problems_of("seq,latency_us\n-1,1\n1.5,1\n") ==
        "bench.csv:2:1: /seq: expected a whole number of at least 0, found \"-1\"\n"
        "bench.csv:3:1: /seq: expected a whole number of at least 0, found \"1.5\"\n");
}

TEST_CASE("a decimal comma is recognised, with what was meant") {
  CHECK(problems_of("latency_us\n175,3\n") ==
        "bench.csv:2:1: /: expected 1 field, with decimal points, found 2 fields; did you mean \"175.3\"?\n");
  CHECK(problems_of("t_out_us,t_in_us\n1,5,2,5\n") ==
        "bench.csv:2:1: /: expected 2 fields, with decimal points, found 4 fields; did you mean \"1.5,2.5\"?\n");
  CHECK(problems_of("seq;t_out_us;t_in_us\n1;2,5;3,5\n") ==
        "bench.csv:1:1: /: expected fields separated by commas, with decimal points, found \"seq;t_out_us;t_in_us\"; "
        "did you mean \"seq,t_out_us,t_in_us\"?\n");
}

TEST_CASE("a header that is none is refused, with the nearest column") {
  const std::string expected =
      "expected a header: seq,t_out_us,t_in_us or latency_us or n,min_us,mean_us,max_us, found ";
  CHECK(problems_of("175\n182\n") == "bench.csv:1:1: /: " + expected + "\"175\"\n");
  CHECK(problems_of("latncy_us\n175\n") ==
        "bench.csv:1:1: /: " + expected + "\"latncy_us\"; did you mean \"latency_us\"?\n");
  CHECK(problems_of("seq,t_out_us\n1,2\n") == "bench.csv:1:1: /: " + expected + "\"seq,t_out_us\"\n");
  CHECK(problems_of("latency_us,n\n1,2\n") == "bench.csv:1:1: /: " + expected + "\"latency_us,n\"\n");
  CHECK(problems_of("latency_us,latency_ms\n1,2\n") ==
        "bench.csv:1:12: /latency_ms: expected each column once, found a second one\n");
}

TEST_CASE("a file without a sample is refused") {
  CHECK(problems_of("").find("found an empty file") != std::string::npos);
  CHECK(problems_of("# only a remark\n").find("found an empty file") != std::string::npos);
  CHECK(problems_of("latency_us\n").find("expected at least one answered edge, found no record") != std::string::npos);
  CHECK(problems_of("t_out_us,t_in_us\n1,\n2,\n").find("found 2 missed edges") != std::string::npos);
  CHECK(problems_of("n,min_us,mean_us,max_us\n").find("expected at least one record, found none") != std::string::npos);
  CHECK(problems_of("n,min_us,mean_us,max_us\n0,1,1,1\n") ==
        "bench.csv:2:1: /n: expected a whole number from 1 to 10^15, found \"0\"\n");
}

TEST_CASE("a blank line between records is refused, and at the end it is nothing") {
  CHECK(problems_of("t_out_us,t_in_us\n1,2\n\n3,4\n") == "bench.csv:3:1: /: expected a record, found a blank line\n");
  CHECK(samples_of("t_out_us,t_in_us\n1,2\n\n\n").latencies.size() == 1);
}

TEST_CASE("a blank last line in a latency column is a missed edge with a warning") {
  CHECK(samples_of("latency_us\n175\n\n").missed == 1);
  CHECK(warnings_of("latency_us\n175\n\n") ==
        "bench.csv:3:1: /latency_us: expected no blank line at the end of the file (counted as a missed edge), found "
        "one [warning: bench-data]\n");
  CHECK(warnings_of("latency_us\n175\n\n182\n").empty());
}

TEST_CASE("what is no text is refused at once") {
  using namespace std::string_literals;
  CHECK(problems_of("latency_us\n175\n\0\x01\x02\n182\n"s) ==
        "bench.csv:3:1: /: expected text in UTF-8, in lines of at most 4096 bytes, found a zero byte\n");
  CHECK(problems_of("latency_us\n" + std::string(1'000'000, '1')) ==
        "bench.csv:2:1: /: expected text in UTF-8, in lines of at most 4096 bytes, found a longer line\n");
}

TEST_CASE("a latency beyond all reason is refused") {
  CHECK(problems_of("latency_s\n1e300\n") ==
        "bench.csv:2:1: /latency_s: expected a number, with a decimal point if any, found \"1e300\"\n");
  CHECK(problems_of("latency_s\n1e8\n") == "bench.csv:2:1: /latency_s: expected at most 2305843 s, found \"1e8\"\n");
}

TEST_CASE("latencies whose sum cannot be kept are refused") {
  std::string text = "latency_s\n";
  for (int i = 0; i < 6; ++i) text += "2000000\n";
  CHECK(problems_of(text) ==
        "bench.csv:6:1: /latency_s: expected latencies of at most 106 days in all, found \"2000000\"\n"
        "bench.csv:7:1: /latency_s: expected latencies of at most 106 days in all, found \"2000000\"\n");
}

TEST_CASE("counts beyond all reason are refused") {
  CHECK(problems_of("n,min_us,lost\n9000000000000000000,1,9000000000000000000\n") ==
        "bench.csv:2:1: /n: expected a whole number from 1 to 10^15, found \"9000000000000000000\"\n"
        "bench.csv:2:23: /lost: expected a whole number from 0 to 10^15, found \"9000000000000000000\"\n");
}

TEST_CASE("two rows of one name are refused") {
  CHECK(problems_of("row,n,min_us\na,1,1\na,1,1\n") ==
        "bench.csv:3:1: /row: expected a name that no other row has, found \"a\"\n");
}

TEST_CASE("a million records are read") {
  std::string text = "seq,t_out_us,t_in_us\n";
  for (int i = 0; i < 1'000'000; ++i) {
    const std::string s = std::to_string(i);
    text += s + "," + s + "000000," + s + "000175\n";
  }
  const BenchSamples samples = samples_of(text);
  CHECK(samples.latencies.size() == 1'000'000);
  CHECK(samples.latencies.back() == 175us);
}

TEST_CASE("a histogram stands for as many edges as it counts") {
  const BenchSamples samples = samples_of("latency_ns,count\n4480,3\n6208,1\n,2\n");
  CHECK(samples.latencies == std::vector<Duration>{4480ns, 4480ns, 4480ns, 6208ns});
  CHECK(samples.missed == 2);
  CHECK(problems_of("latency_ns,count\n4480,0\n") ==
        "bench.csv:2:6: /count: expected a whole number from 1 to 10^7, found \"0\"\n");
}

TEST_CASE("a missing file is an invalid input") {
  CHECK_THROWS_WITH(read_bench_file("/nowhere/bench.csv"),
                    Catch::Contains("expected a file of bench data, found none of that name"));
  CHECK_THROWS_WITH(read_bench_file("/"), Catch::Contains("found a folder"));
}
