// What a scenario says of QEMU without KVM: how an edge gets into it.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/fields.hpp"

namespace vecusim {

/// How the program that waits for the edge on the host tells QEMU.
enum class RelayKind : std::uint8_t { pipe, tcp, qmp, command };

struct RelayConfig {
  RelayKind kind = RelayKind::pipe;
  /// tcp: small writes are sent at once.
  bool nodelay = false;
  /// Edges that the relay loses, each by itself.
  double loss_ppm = 0.0;
  void fields(FieldVisitor& visit);
};

struct TcgConfig final : ConfigOf<TcgConfig> {
  RelayConfig relay;
  /// The emulated input is level-sensitive and is raised for so long; absent: it latches edges.
  std::optional<Duration> pulse;
  void fields(FieldVisitor& visit) override;
};

}  // namespace vecusim
