// Reading captures with libpcap, from memory.
#include "system/read_capture.hpp"

#include <array>
#include <cstdio>
#include <memory>
#include <utility>

#include <pcap/pcap.h>

namespace vecusim {
namespace {

struct Close {
  void operator()(pcap_t* capture) const { pcap_close(capture); }
  void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
};

/// Null, with libpcap's reason.
std::unique_ptr<pcap_t, Close> open_capture(std::string& bytes, std::string& reason) {
  std::unique_ptr<std::FILE, Close> file(bytes.empty() ? nullptr : fmemopen(bytes.data(), bytes.size(), "rb"));
  if (!file) {
    reason = "an empty file";
    return nullptr;
  }
  std::array<char, PCAP_ERRBUF_SIZE> error{};
  std::unique_ptr<pcap_t, Close> capture(
      pcap_fopen_offline_with_tstamp_precision(file.get(), PCAP_TSTAMP_PRECISION_NANO, error.data()));
  if (!capture) {
    reason = error.data();
  } else {
    static_cast<void>(file.release());  // it is the capture's now
  }
  return capture;
}

}  // namespace

CaptureReading read_capture(std::string_view bytes) {
  CaptureReading reading;
  const auto refuse = [&](std::string expected, std::string found) {
    reading.expected = std::move(expected);
    reading.found = std::move(found);
  };
  std::string copy(bytes);
  std::string reason;
  const auto capture = open_capture(copy, reason);
  if (!capture) {
    refuse("a capture that libpcap reads", reason);
    return reading;
  }
  if (const int link = pcap_datalink(capture.get()); link != DLT_EN10MB) {
    const char* name = pcap_datalink_val_to_name(link);
    refuse("a capture of Ethernet frames", "link type " + (name == nullptr ? std::to_string(link) : std::string(name)));
    return reading;
  }
  pcap_pkthdr* header = nullptr;
  const u_char* content = nullptr;
  int more = 0;
  constexpr std::int64_t kNsPerS = 1'000'000'000;
  constexpr std::int64_t kMostSeconds = 9'000'000'000;  // the year 2255: beyond, nanoseconds do not fit
  while ((more = pcap_next_ex(capture.get(), &header, &content)) == 1) {
    if (header->ts.tv_sec < 0 || header->ts.tv_sec > kMostSeconds) {
      refuse("times since 1970", std::to_string(header->ts.tv_sec) + " s");
      return reading;
    }
    reading.frames.push_back({header->ts.tv_sec * kNsPerS + header->ts.tv_usec, header->len});
  }
  if (more == PCAP_ERROR) refuse("a whole capture", pcap_geterr(capture.get()));
  return reading;
}

}  // namespace vecusim
