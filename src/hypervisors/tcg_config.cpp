// The fields of QEMU without KVM.
#include "hypervisors/tcg_config.hpp"

#include <array>

namespace vecusim {

namespace {
constexpr std::array kRelays = {
    Option{"pipe", "a write to a pipe or local socket"},
    Option{"tcp", "two small writes to a TCP socket; without nodelay the second waits for a delayed acknowledgement"},
    Option{"qmp", "a command as text to QEMU's monitor"}, Option{"command", "a program is started for each edge"}};
}  // namespace

void RelayConfig::fields(FieldVisitor& visit) {
  visit.choice({"kind", "how it tells QEMU"}, kind, kRelays);
  visit.flag({"nodelay", "tcp: small writes are sent at once (TCP_NODELAY)"}, nodelay);
  visit.number({"loss_ppm", "edges that it loses, per million, each by itself"}, loss_ppm, {0.0, 1e6});
  visit.require(!nodelay || kind == RelayKind::tcp, "nodelay", "false unless `kind` is \"tcp\"");
}

void TcgConfig::fields(FieldVisitor& visit) {
  visit.object({"relay", "the program on the host that waits for the edge and tells QEMU"}, relay);
  const Field field{"pulse_us",
                    "the emulated input looks at levels and is raised for so long; absent: it latches edges"};
  visit.optional(field, pulse, [&](Duration& value) { visit.duration(field, value, {1us, 1s}); });
}

}  // namespace vecusim
