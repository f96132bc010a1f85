// Xentrace's files: windows of pCPUs merged by time, and what is left of a damaged one.
#include <map>

#include "analysis/read_xentrace.hpp"
#include "sample_files.hpp"

using namespace vecusim;
using test::sample;

namespace {

std::string warnings_of(const std::string& bytes) { return read_xentrace(bytes, "t.bin").problems.text(); }

/// Records by pCPU and event alone, as prefixes of a file keep them.
std::vector<std::uint64_t> offsets_of(const Xentrace& trace) {
  std::vector<std::uint64_t> offsets;
  for (const XentraceRecord& record : trace.records) offsets.push_back(record.offset);
  std::sort(offsets.begin(), offsets.end());
  return offsets;
}

}  // namespace

TEST_CASE("the five records of a tiny xentrace file are read word for word") {
  const Xentrace trace = read_xentrace(sample("xentrace-tiny.bin"), "t.bin");
  CHECK(trace.problems.empty());
  CHECK(trace.pcpus == std::vector<std::uint16_t>{1});
  REQUIRE(trace.records.size() == 4);

  const auto woken = runstate_change(trace.records[0]);
  REQUIRE(woken);
  CHECK(woken->vcpu == TracedVcpu{0, 0});
  CHECK(woken->from == Runstate::blocked);
  CHECK(woken->to == Runstate::runnable);
  CHECK(trace.records[0].ticks == 0x1000);

  CHECK(trace.records[1].kind() == XenEvent::credit2_tickle);
  CHECK(trace.records[1].word[0] == 1);

  const auto run = runstate_change(trace.records[2]);
  REQUIRE(run);
  CHECK(run->to == Runstate::running);
  CHECK(trace.records[2].ticks == 0x1800);

  CHECK(trace.records[3].kind() == XenEvent::credit2_ratelimit);
  CHECK(to_text(trace.records[3].vcpu_of_one()) == "d1v0");
  CHECK(trace.records[3].word[1] == 312500);
}

TEST_CASE("windows of several pCPUs are merged by time") {
  const Xentrace trace = read_xentrace(sample("xentrace-null.bin"), "t.bin");
  CHECK(trace.pcpus == std::vector<std::uint16_t>{0, 1, 2});
  CHECK(trace.records.size() == 367);  // 383 with the headers of 16 windows
  CHECK(std::is_sorted(trace.records.begin(), trace.records.end(),
                       [](const auto& a, const auto& b) { return a.ticks < b.ticks; }));
  CHECK(trace.problems.empty());
}

TEST_CASE("padding of the ring is no record") {
  const Xentrace trace = read_xentrace(sample("xentrace-credit2.bin"), "t.bin");
  CHECK(trace.records.size() == 282);  // 284 with the header and the padding
}

TEST_CASE("the counter's frequency shows in run times that are given in ns") {
  CHECK(*guess_counter_hz(read_xentrace(sample("xentrace-null.bin"), "t.bin")) == Approx(62.5e6).epsilon(1e-3));
  CHECK(*guess_counter_hz(read_xentrace(sample("xentrace-rtds.bin"), "t.bin")) == Approx(62.5e6).epsilon(1e-3));
  CHECK(!guess_counter_hz(read_xentrace(sample("xentrace-tiny.bin"), "t.bin")));
}

TEST_CASE("a truncated xentrace file gives the records that are whole, and says what is missing") {
  const std::string bytes = sample("xentrace-tiny.bin");
  CHECK(read_xentrace(bytes.substr(0, 50), "t.bin").records.size() == 2);
  CHECK(warnings_of(bytes.substr(0, 50)) ==
        "t.bin:1:51: /: expected 68 bytes of pCPU 1, found the end of the file after 38 at byte 50 [warning: "
        "xentrace]\n");
}

TEST_CASE("a damaged window is told of, and the next one is read") {
  std::string bytes = sample("xentrace-tiny.bin");
  const std::string next = bytes;
  bytes[76 - 16 + 3] = '\xf0';  // the last record has seven words more than there are
  const Xentrace trace = read_xentrace(bytes + next, "t.bin");
  CHECK(trace.records.size() == 7);
  CHECK(trace.problems.text() ==
        "t.bin:1:61: /: expected a record of 40 bytes, found the end of its window at byte 60; 20 bytes are left out "
        "[warning: xentrace]\n"
        "t.bin:1:93: /: expected a stamp of at least 6144, found 4096 at byte 92 [warning: xentrace]\n");
  CHECK(warnings_of(next + "no window at all") ==
        "t.bin:1:81: /: expected a window: 0x2001f003, a pCPU, a length, found something else at byte 80; 16 bytes are "
        "left out [warning: xentrace]\n");
}

TEST_CASE("records that Xen had no room for are counted") {
  std::string bytes = sample("xentrace-tiny.bin");
  bytes[28] = '\x01';  // the tickle becomes "lost records", with one word, which is 1
  bytes[29] = '\xf0';
  bytes[30] = '\x01';
  CHECK(read_xentrace(bytes, "t.bin").lost_records == 1);
}

TEST_CASE("any prefix of an xentrace file gives a part of its records, from the beginning") {
  for (const char* name : {"xentrace-tiny.bin", "xentrace-null.bin"}) {
    const std::string bytes = sample(name);
    const std::vector<std::uint64_t> all = offsets_of(read_xentrace(bytes, "t.bin"));
    test::for_prefixes(bytes, 1000, [&](const std::string& prefix) {
      const std::vector<std::uint64_t> some = offsets_of(read_xentrace(prefix, "t.bin"));
      REQUIRE(some.size() <= all.size());
      CHECK(std::equal(some.begin(), some.end(), all.begin()));
    });
  }
}
