// A result as columns: the numbers of its document by their paths.
#include <optional>
#include <utility>

#include "analysis/result_members.hpp"

namespace vecusim {
namespace {

using json::Node;

/// An Out (result_members.hpp) that keeps numbers only. Stages stand below their interrupt, interrupts and domains
/// below their list.
class ColumnsOut {
 public:
  ColumnsOut() { columns_.reserve(kUsual); }
  void text(std::string_view /*key*/, std::string_view /*text*/) {}
  void number(std::string_view key, Node value) {
    within(key, [&] { columns_.push_back({path_, std::move(value)}); });
  }
  void interval(std::string_view key, const std::optional<Interval>& interval) {
    bounds(key, interval ? us(from_us(interval->lo)) : Node{}, interval ? us(from_us(interval->hi)) : Node{});
  }
  void interval(std::string_view key, const std::optional<DurationInterval>& interval) {
    bounds(key, interval ? us(interval->lo) : Node{}, interval ? us(interval->hi) : Node{});
  }
  template <class Members>
  void object(std::string_view key, Members members) {
    within(key, members);
  }
  template <class T, class Members>
  void list(std::string_view key, const std::vector<T>& items, Members members) {
    within(key, [&] {
      for (const T& item : items) within(item.name, [&] { members(item); });
    });
  }
  template <class Make>
  void whole(std::string_view /*key*/, Make /*make*/) {}

  std::vector<Column> take() { return std::move(columns_); }

 private:
  static constexpr std::size_t kUsual = 256;

  template <class Body>
  void within(std::string_view key, Body body) {
    const std::size_t size = path_.size();
    if (!path_.empty()) path_ += '.';
    path_ += key;
    body();
    path_.resize(size);
  }
  void bounds(std::string_view key, Node lo, Node hi) {
    within(key, [&] {
      number("lo", std::move(lo));
      number("hi", std::move(hi));
    });
  }

  std::string path_;
  std::vector<Column> columns_;
};

}  // namespace

std::vector<Column> to_columns(const Result& result) {
  ColumnsOut out;
  members(result, out);
  return out.take();
}

}  // namespace vecusim
