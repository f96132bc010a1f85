// Reads captures of Ethernet frames (pcap, pcapng): when each was seen, and how long it was; no content.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vecusim {

struct CapturedFrame {
  /// As the capture has it: since 1970.
  std::int64_t at_ns;
  /// Of the frame, however much of it was captured.
  std::int64_t bytes;
};

struct CaptureReading {
  /// In the order of the file.
  std::vector<CapturedFrame> frames = {};
  /// What could not be read, as a problem says it; empty if all was.
  std::string expected = {};
  std::string found = {};
};

/// The frames before whatever could not be read are there.
CaptureReading read_capture(std::string_view bytes);

}  // namespace vecusim
