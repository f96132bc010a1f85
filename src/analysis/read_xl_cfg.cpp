// A small lexer: names, strings, numbers, lists.
#include "analysis/read_xl_cfg.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include "analysis/text_records.hpp"
#include "system/json_print.hpp"
#include "system/text_cursor.hpp"
#include "system/utf8.hpp"

namespace vecusim {
namespace {

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& name)
      : text_(text), cursor_(text, Place{std::make_shared<const std::string>(name), 1, 1}), at_(cursor_.offset()) {}

  XlConfig read() {
    for (skip(" \t\r\n;"); at_ < text_.size(); skip(" \t\r\n;")) {
      if (!assignment()) next_line();
    }
    return std::move(config_);
  }

 private:
  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  /// Over these characters and remarks.
  void skip(std::string_view blanks) {
    while (at_ < text_.size() && (blanks.find(here()) != std::string_view::npos || here() == '#')) {
      if (here() == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        ++at_;
      }
    }
  }

  void next_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  std::string_view take_name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name(here())) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  /// Always false. At the end of the file something may have been cut off.
  bool refuse(std::string expected) {
    cursor_.advance_to(at_);
    const bool end = at_ >= text_.size();
    const std::string_view rest = text_.substr(at_, text_.substr(at_).find('\n'));
    config_.problems.add({cursor_.place(),
                          {},
                          std::move(expected),
                          end ? "the end of the file" : json::quoted(utf8_cut(rest, 40)),
                          {},
                          end ? Severity::warning : Severity::error,
                          "xl-cfg"});
    return false;
  }

  bool assignment() {
    cursor_.advance_to(at_);
    const Place place = cursor_.place();
    const std::string key{take_name()};
    if (key.empty()) return refuse("NAME = VALUE");
    skip(" \t");
    if (here() != '=') return refuse("= behind " + key);
    ++at_;
    skip(" \t");
    XlValue value;
    value.place = place;
    value.list = here() == '[';
    if (!(value.list ? list(value) : scalar(value, "\n;#"))) return false;
    skip_line_end();
    const auto [known, fresh] = indices_.emplace(key, config_.values.size());
    if (fresh) {
      config_.values.emplace_back(key, std::move(value));
    } else {
      config_.values[known->second].second = std::move(value);
    }
    return true;
  }

  void skip_line_end() {
    while (here() == ' ' || here() == '\t' || here() == '\r') ++at_;
    const char c = here();
    if (c != '\0' && c != '\n' && c != ';' && c != '#') {
      refuse("the end of the line");
      next_line();
    }
  }

  bool list(XlValue& value) {
    ++at_;
    for (skip(" \t\r\n"); here() != ']'; skip(" \t\r\n")) {
      if (!scalar(value, ",]\n#")) return false;
      skip(" \t\r\n");
      if (here() == ',') {
        ++at_;
      } else if (here() != ']') {
        return refuse(", or ] in a list");
      }
    }
    ++at_;
    return true;
  }

  /// A string, or a number or word up to one of `ends`.
  bool scalar(XlValue& value, std::string_view ends) {
    const char quote = here();
    if (quote == '"' || quote == '\'') {
      const std::size_t end = text_.find(quote, at_ + 1);
      const std::size_t line_end = std::min(text_.find('\n', at_), text_.size());
      if (end > line_end) {
        at_ = line_end;
        return refuse(std::string("a closing ") + quote);
      }
      value.items.emplace_back(text_.substr(at_ + 1, end - at_ - 1));
      at_ = end + 1;
      return true;
    }
    const std::size_t end = std::min(text_.find_first_of(ends, at_), text_.size());
    const std::string_view word = without_blanks(text_.substr(at_, end - at_));
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), is_name);
    if (!plain) return refuse("a string in quotes, a number or a list");
    if (end == text_.size()) {
      at_ = end;
      return refuse("a line end behind the number");  // it may have been cut off
    }
    value.items.emplace_back(word);
    at_ = end;
    return true;
  }

  std::string_view text_;
  TextCursor cursor_;
  std::size_t at_;
  XlConfig config_;
  std::map<std::string, std::size_t> indices_;  // of its values
};

}  // namespace

const XlValue* XlConfig::find(std::string_view key) const {
  const auto found = std::find_if(values.begin(), values.end(), [&](const auto& each) { return each.first == key; });
  return found == values.end() ? nullptr : &found->second;
}

std::string XlConfig::text(std::string_view key) const {
  const XlValue* value = find(key);
  return value == nullptr || value->list ? std::string{} : value->items.front();
}

std::optional<std::uint64_t> XlConfig::number(std::string_view key) const { return parse_number(text(key)); }

XlConfig read_xl_cfg(std::string_view text, const std::string& name) { return Reader{text, name}.read(); }

}  // namespace vecusim
