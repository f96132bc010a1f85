// The document vecusim/result/1.
#include <optional>
#include <utility>

#include "analysis/result_members.hpp"

namespace vecusim {
namespace {

using json::Node;

/// An Out (result_members.hpp) that builds the document.
class DocumentOut {
 public:
  void text(std::string_view key, std::string_view text) { add(key, Node::string(std::string(text))); }
  void number(std::string_view key, Node value) { add(key, std::move(value)); }
  void interval(std::string_view key, const std::optional<Interval>& interval) {
    add(key, interval ? Node::array({us(from_us(interval->lo)), us(from_us(interval->hi))}) : Node{});
  }
  void interval(std::string_view key, const std::optional<DurationInterval>& interval) {
    add(key, interval ? Node::array({us(interval->lo), us(interval->hi)}) : Node{});
  }
  template <class Members>
  void object(std::string_view key, Members members) {
    add(key, made_of(members));
  }
  template <class T, class Members>
  void list(std::string_view key, const std::vector<T>& items, Members members) {
    Node array = Node::array();
    for (const T& item : items) array.push_back(made_of([&] { members(item); }));
    add(key, std::move(array));
  }
  template <class Make>
  void whole(std::string_view key, Make make) {
    add(key, make());
  }

  Node take() { return std::move(node_); }

 private:
  void add(std::string_view key, Node value) { node_.members.push_back({std::string(key), std::move(value)}); }
  template <class Members>
  Node made_of(Members members) {
    Node outer = std::exchange(node_, Node::object());
    members();
    return std::exchange(node_, std::move(outer));
  }

  Node node_ = Node::object();
};

}  // namespace

Node to_json(const std::vector<Bin>& histogram) {
  Node list = Node::array();
  for (const Bin& bin : histogram) list.push_back(Node::array({us(bin.from), us(bin.below), Node::integer(bin.n)}));
  return list;
}

Node to_json(const std::vector<Input>& inputs) {
  Node list = Node::array();
  for (const Input& input : inputs) {
    list.push_back(Node::object({{"name", Node::string(input.name)}, {"sha256", Node::string(input.sha256)}}));
  }
  return list;
}

Node to_json(const Result& result) {
  DocumentOut out;
  members(result, out);
  return out.take();
}

}  // namespace vecusim
