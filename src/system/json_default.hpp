// What a field's default looks like in JSON, for those that describe fields.
#pragma once

#include "system/json_fields.hpp"

namespace vecusim::json {

/// The value that writing one field gives: `show` visits that field alone.
template <class Show>
Node default_of(const Field& field, Show show) {
  class OneField final : public Part {
   public:
    explicit OneField(Show& visit_field) : show_(visit_field) {}
    void fields(FieldVisitor& visit) override { show_(visit); }

   private:
    Show& show_;
  } part{show};
  const Node object = write(static_cast<Part&>(part));
  return *object.find(field.key);
}

}  // namespace vecusim::json
