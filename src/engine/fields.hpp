// How a configuration struct shows its fields: key, default, range and sentence, written once for every reader and
// writer.
//
// A configuration struct has one function, `void fields(FieldVisitor& visit)`, that names each member. The JSON reader,
// the JSON writer, the schema, the reference page and the setter behind --set are visitors of it; this file knows
// nothing of JSON.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/time.hpp"

namespace vecusim {

/// What is said of every field. The key of a quantity ends in its unit (`_us`, `_mhz`, `_pct`, …).
struct Field {
  std::string_view key;
  std::string_view sentence;
  bool required = false;
};

/// The closed interval of accepted values, and optionally one value outside it with a meaning of its own (0 for "off").
template <class T>
struct Range {
  T lo;
  T hi;
  std::optional<T> also = {};
  /// A quantity that its user must give as a whole number of the key's unit, as Xen's tools do.
  bool whole = false;
};

template <class T>
requires std::is_arithmetic_v<T>
constexpr Range<T> at_least(T lo) { return {lo, std::numeric_limits<T>::max()}; }
constexpr Range<Duration> at_least(Duration lo) { return {lo, Duration::max()}; }
constexpr Range<Duration> whole(Duration lo, Duration hi) { return {lo, hi, {}, true}; }
constexpr Range<Duration> off_or(Duration lo, Duration hi) { return {lo, hi, Duration::zero(), true}; }

/// One accepted word of a field, with what it means.
struct Option {
  std::string_view name;
  std::string_view sentence;
};

class FieldVisitor;

/// Something with fields, type-erased: a visitor calls fields(*this) between its own brackets.
class Part {
 public:
  virtual ~Part() = default;
  virtual void fields(FieldVisitor& visit) = 0;
};

/// A list of parts that a reader resizes before it fills it.
class PartList {
 public:
  virtual ~PartList() = default;
  virtual std::size_t size() const = 0;
  virtual void resize(std::size_t size) = 0;
  virtual void fields(std::size_t index, FieldVisitor& visit) = 0;
};

/// Parts by name, in the order of their names.
class PartMap {
 public:
  virtual ~PartMap() = default;
  virtual std::vector<std::string> names() const = 0;
  virtual void clear() = 0;
  /// Creates the part if it is not there.
  virtual void fields(const std::string& name, FieldVisitor& visit) = 0;
};

/// A struct whose further fields depend on one tag (`"model"`): a reader selects first and visits the fields then.
class Alternatives {
 public:
  virtual ~Alternatives() = default;
  virtual std::span<const Option> options() const = 0;
  virtual std::size_t current() const = 0;
  virtual void select(std::size_t option) = 0;
  virtual void fields(FieldVisitor& visit) = 0;
};

class FieldVisitor {
 public:
  virtual ~FieldVisitor() = default;

  virtual void flag(const Field&, bool& value) = 0;
  virtual void text(const Field&, std::string& value) = 0;
  virtual void integer(const Field&, std::int64_t& value, const Range<std::int64_t>&) = 0;
  virtual void number(const Field&, double& value, const Range<double>&) = 0;
  /// The unit is the key's suffix: _ps, _ns, _us, _ms or _s.
  virtual void duration(const Field&, Duration& value, const Range<Duration>&) = 0;
  virtual void choice(const Field&, std::size_t& value, std::span<const Option>) = 0;
  virtual void durations(const Field&, std::vector<Duration>& values, const Range<Duration>& each) = 0;
  virtual void numbers(const Field&, std::vector<double>& values, const Range<double>& each) = 0;
  virtual void texts(const Field&, std::vector<std::string>& values) = 0;
  /// A list of indices, or a list of such lists (one entry in `lists` means the plain form).
  virtual void index_lists(const Field&, std::vector<std::vector<std::int64_t>>& lists,
                           const Range<std::int64_t>& each) = 0;
  virtual void object(const Field&, Part& part) = 0;
  virtual void list(const Field&, PartList& parts) = 0;
  virtual void map(const Field&, PartMap& parts) = 0;
  virtual void alternatives(const Field& tag, Alternatives& parts) = 0;

  /// Whether an optional field is to be visited: a reader asks whether it is there, a writer whether it is set.
  virtual bool wants(const Field&, bool set) = 0;
  /// A rule over several fields: if not `ok`, a reader reports what `key` (of the object being read) was expected to
  /// be.
  virtual void require(bool ok, std::string_view key, std::string_view expected) = 0;

  // The forms that configuration structs use.

  template <std::integral T>
  requires(!std::same_as<T, std::int64_t> && !std::same_as<T, bool>) void integer(const Field& field, T& value,
                                                                                  const Range<T>& range) {
    auto wide = static_cast<std::int64_t>(value);
    std::optional<std::int64_t> also;
    if (range.also) also = static_cast<std::int64_t>(*range.also);
    const auto hi = std::cmp_greater(range.hi, std::numeric_limits<std::int64_t>::max())
                        ? std::numeric_limits<std::int64_t>::max()
                        : static_cast<std::int64_t>(range.hi);
    integer(field, wide, Range<std::int64_t>{static_cast<std::int64_t>(range.lo), hi, also, range.whole});
    value = static_cast<T>(wide);
  }

  /// An enumeration whose values are 0, 1, … in the order of `options`.
  template <class E>
  requires std::is_enum_v<E>
  void choice(const Field& field, E& value, std::span<const Option> options) {
    auto index = static_cast<std::size_t>(value);
    choice(field, index, options);
    value = static_cast<E>(index);
  }

  template <class T, class Visit>
  void optional(const Field& field, std::optional<T>& value, Visit visit) {
    if (!wants(field, value.has_value())) {
      value.reset();
      return;
    }
    if (!value) value.emplace();
    visit(*value);
  }

  template <class T>
  requires requires(T& t, FieldVisitor& v) { t.fields(v); }
  void object(const Field& field, T& value) {
    struct Adapter final : Part {
      explicit Adapter(T& v) : value(v) {}
      void fields(FieldVisitor& visit) override { value.fields(visit); }
      T& value;
    } part{value};
    object(field, static_cast<Part&>(part));
  }

  template <class T>
  void list(const Field& field, std::vector<T>& values) {
    struct Adapter final : PartList {
      explicit Adapter(std::vector<T>& v) : values(v) {}
      std::size_t size() const override { return values.size(); }
      void resize(std::size_t size) override { values.resize(size); }
      void fields(std::size_t index, FieldVisitor& visit) override { values[index].fields(visit); }
      std::vector<T>& values;
    } parts{values};
    list(field, static_cast<PartList&>(parts));
  }

  template <class T>
  void map(const Field& field, std::map<std::string, T>& values) {
    struct Adapter final : PartMap {
      explicit Adapter(std::map<std::string, T>& v) : values(v) {}
      std::vector<std::string> names() const override {
        std::vector<std::string> result;
        for (const auto& [name, value] : values) result.push_back(name);
        return result;
      }
      void clear() override { values.clear(); }
      void fields(const std::string& name, FieldVisitor& visit) override { values[name].fields(visit); }
      std::map<std::string, T>& values;
    } parts{values};
    map(field, static_cast<PartMap&>(parts));
  }
};

/// A configuration behind a base class: what a catalogue's entries are configured by.
class Config {
 public:
  virtual ~Config() = default;
  virtual void fields(FieldVisitor& visit) = 0;
  virtual std::unique_ptr<Config> clone() const = 0;
};

/// Gives a struct with fields() the clone() that Config asks for: `struct Credit2Config final :
/// ConfigOf<Credit2Config>`.
template <class Derived>
class ConfigOf : public Config {
 public:
  std::unique_ptr<Config> clone() const override {
    return std::make_unique<Derived>(static_cast<const Derived&>(*this));
  }
};

}  // namespace vecusim
