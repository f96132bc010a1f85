// The windows and records of a file of xentrace.
#include "analysis/read_xentrace.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>

namespace vecusim {
namespace {

constexpr std::size_t kWord = 4;
constexpr std::uint32_t kEventMask = 0x0fffffff;
constexpr unsigned kWordsShift = 28;
constexpr std::uint32_t kWordsMask = 7;
constexpr std::uint32_t kStamped = 1U << 31U;

// Pseudo-records of the file.
constexpr std::uint32_t kWindowHeader = 0x2001f003;  // two words, no stamp
constexpr std::uint32_t kPadding = 0x0001f002;
constexpr std::uint32_t kMostPcpu = 4095;

constexpr std::uint32_t kRunstateBase = 0x21001;
constexpr std::uint32_t kRunstateMask = 0x0ffff00f;  // without the two states
constexpr unsigned kFromShift = 8;
constexpr unsigned kToShift = 4;

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name)
      : bytes_(bytes), file_(std::make_shared<const std::string>(name)) {}

  Xentrace read() {
    while (at_ < bytes_.size() && read_window()) {
    }
    std::stable_sort(trace_.records.begin(), trace_.records.end(),
                     [](const XentraceRecord& a, const XentraceRecord& b) {
                       return std::tuple(a.ticks, a.pcpu) < std::tuple(b.ticks, b.pcpu);
                     });
    trace_.pcpus.assign(pcpus_.begin(), pcpus_.end());
    return std::move(trace_);
  }

 private:
  std::uint32_t word(std::size_t offset) const {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < kWord; ++i) {
      value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes_[offset + i])) << (8 * i);
    }
    return value;
  }

  void tell(std::size_t offset, std::string expected, const std::string& found, std::size_t left_out = 0) {
    std::string consequence;
    if (left_out > 0) consequence = "; " + std::to_string(left_out) + " bytes are left out";
    constexpr std::size_t kMostColumn = 0xfffffffe;
    trace_.problems.add({{file_, 1, static_cast<std::uint32_t>(std::min(offset, kMostColumn)) + 1},
                         {},
                         std::move(expected),
                         found + " at byte " + std::to_string(offset) + consequence,
                         {},
                         Severity::warning,
                         "xentrace"});
  }

  /// Whether there may be another one behind it.
  bool read_window() {
    constexpr std::size_t kHeader = 3 * kWord;
    const std::size_t begin = at_;
    const std::size_t left = bytes_.size() - begin;
    if (left < kHeader) {
      tell(begin, "a window", "the end of the file", left);
      return false;
    }
    const std::uint32_t pcpu = word(begin + kWord);
    const std::size_t size = word(begin + 2 * kWord);
    if (word(begin) != kWindowHeader || pcpu > kMostPcpu || size % kWord != 0) {
      tell(begin, "a window: 0x2001f003, a pCPU, a length", "something else", left);
      return false;
    }
    at_ = begin + kHeader;
    const std::size_t whole = bytes_.size() - at_;
    read_records(static_cast<std::uint16_t>(pcpu), at_ + std::min(size, whole), size > whole);
    if (size > whole) {
      tell(bytes_.size(), std::to_string(size) + " bytes of pCPU " + std::to_string(pcpu),
           "the end of the file after " + std::to_string(whole));
    }
    return size <= whole;
  }

  void read_records(std::uint16_t pcpu, std::size_t end, bool cut_off) {
    pcpus_.insert(pcpu);
    while (at_ < end) {
      const std::size_t begin = at_;
      const std::size_t left = end - begin;
      const std::uint32_t header = left < kWord ? 0 : word(begin);
      const std::size_t extra = header >> kWordsShift & kWordsMask;
      const bool stamped = (header & kStamped) != 0;
      const std::size_t size = kWord * (1 + (stamped ? 2U : 0U) + extra);
      at_ = end;
      if (size > left || left < kWord) {
        if (!cut_off) {
          tell(begin, "a record of " + std::to_string(size) + " bytes", "the end of its window", left);
        }
        return;
      }
      at_ = begin + size;
      add(pcpu, header, begin);
    }
  }

  void add(std::uint16_t pcpu, std::uint32_t header, std::size_t offset) {
    XentraceRecord record;
    record.event = header & kEventMask;
    record.offset = offset;
    record.pcpu = pcpu;
    record.words = static_cast<std::uint8_t>(header >> kWordsShift & kWordsMask);
    std::uint64_t& last = last_ticks_[pcpu];
    std::size_t from = offset + kWord;
    if ((header & kStamped) != 0) {
      record.ticks = word(from) | static_cast<std::uint64_t>(word(from + kWord)) << 32U;
      from += 2 * kWord;
      if (record.ticks < last)
        tell(offset, "a stamp of at least " + std::to_string(last), std::to_string(record.ticks));
      last = record.ticks;
    } else {
      record.ticks = last;
    }
    for (std::size_t i = 0; i < record.words; ++i) record.word[i] = word(from + i * kWord);
    if (record.event == kPadding) return;
    if (record.kind() == XenEvent::lost_records) {
      trace_.lost_records += record.words > 0 ? record.word[0] : 0;
      tell(offset, "room in the trace buffer", std::to_string(record.word[0]) + " records that Xen could not write");
    }
    trace_.records.push_back(record);
  }

  std::string_view bytes_;
  std::shared_ptr<const std::string> file_;
  std::size_t at_ = 0;
  std::set<std::uint16_t> pcpus_;
  std::map<std::uint16_t, std::uint64_t> last_ticks_;
  Xentrace trace_;
};

}  // namespace

std::string to_text(TracedVcpu vcpu) {
  if (vcpu.idle()) return "idle" + std::to_string(vcpu.vcpu);
  return "d" + std::to_string(vcpu.domain) + "v" + std::to_string(vcpu.vcpu);
}

XenEvent XentraceRecord::kind() const {
  const bool change = (event & kRunstateMask) == kRunstateBase;
  return change ? XenEvent::runstate_change : static_cast<XenEvent>(event);
}

std::string_view name_of(Runstate state) { return kRunstateNames.at(static_cast<std::size_t>(state)); }

std::optional<RunstateChange> runstate_change(const XentraceRecord& record) {
  if (record.kind() != XenEvent::runstate_change || record.words < 1) return std::nullopt;
  const std::uint32_t from = record.event >> kFromShift & 0xfU;
  const std::uint32_t to = record.event >> kToShift & 0xfU;
  constexpr std::uint32_t kLast = static_cast<std::uint32_t>(Runstate::offline);
  if (from > kLast || to > kLast) return std::nullopt;
  return RunstateChange{record.vcpu_of_one(), static_cast<Runstate>(from), static_cast<Runstate>(to)};
}

bool looks_like_xentrace(std::string_view bytes) {
  constexpr std::string_view kWindow{"\x03\xf0\x01\x20", kWord};
  return bytes.starts_with(kWindow);
}

Xentrace read_xentrace(std::string_view bytes, const std::string& name) { return Reader{bytes, name}.read(); }

std::optional<double> guess_counter_hz(const Xentrace& trace) {
  constexpr std::uint32_t kLongNs = 100'000;
  constexpr std::size_t kEnough = 10;
  std::map<std::uint16_t, std::uint64_t> last;  // when each pCPU switched
  std::vector<double> hz;
  for (const XentraceRecord& record : trace.records) {
    if (record.kind() != XenEvent::switch_from || record.words < 3) continue;
    const auto before = last.find(record.pcpu);
    if (before != last.end() && record.word[2] >= kLongNs) {
      hz.push_back(static_cast<double>(record.ticks - before->second) / (static_cast<double>(record.word[2]) * 1e-9));
    }
    last[record.pcpu] = record.ticks;
  }
  if (hz.size() < kEnough) return std::nullopt;
  const auto middle = hz.begin() + static_cast<std::ptrdiff_t>(hz.size() / 2);
  std::nth_element(hz.begin(), middle, hz.end());
  return *middle;
}

}  // namespace vecusim
