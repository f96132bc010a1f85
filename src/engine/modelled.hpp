// Modelled: a configuration chosen from a catalogue by its "model", with value semantics.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/fields.hpp"

namespace vecusim {

/// `kCatalogue` returns the entries; an entry has an `option` (name and sentence) and `config()`, which makes its
/// defaults.
template <class Entry, std::span<const Entry> (*kCatalogue)()>
class Modelled {
 public:
  Modelled() : config_(kCatalogue()[0].config()) {}
  Modelled(const Modelled& other) : index_(other.index_), config_(other.config_->clone()) {}
  Modelled& operator=(const Modelled& other) {
    index_ = other.index_;
    config_ = other.config_->clone();
    return *this;
  }
  Modelled(Modelled&&) noexcept = default;
  Modelled& operator=(Modelled&&) noexcept = default;

  const Entry& entry() const { return kCatalogue()[index_]; }
  std::string_view name() const { return entry().option.name; }
  Config& config() { return *config_; }
  const Config& config() const { return *config_; }

  void select(std::size_t index) {
    index_ = index;
    config_ = entry().config();
  }

  void fields(FieldVisitor& visit, const Field& tag) {
    struct Adapter final : Alternatives {
      explicit Adapter(Modelled& m) : modelled(m) {
        for (const Entry& entry : kCatalogue()) all.push_back(entry.option);
      }
      std::span<const Option> options() const override { return all; }
      std::size_t current() const override { return modelled.index_; }
      void select(std::size_t option) override {
        if (option != modelled.index_) modelled.select(option);
      }
      void fields(FieldVisitor& v) override { modelled.config_->fields(v); }
      Modelled& modelled;
      std::vector<Option> all;
    } alternatives{*this};
    visit.alternatives(tag, alternatives);
  }

 private:
  std::size_t index_ = 0;
  std::unique_ptr<Config> config_;
};

}  // namespace vecusim
