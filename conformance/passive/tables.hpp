// The passive checks, each table in the file of its name (passive/<topic>.cpp), and what these files share.
#pragma once

#include "passive/passive.hpp"

namespace toolwire::conformance {

std::span<const PassiveCheck> framing_passive_checks();
std::span<const PassiveCheck> message_passive_checks();
std::span<const PassiveCheck> meta_passive_checks();
std::span<const PassiveCheck> modern_passive_checks();
std::span<const PassiveCheck> revision_passive_checks();
std::span<const PassiveCheck> schema_passive_checks();

/// The beginning of a line, as a finding shows it.
inline std::string start_of(const Message& message) { return message.text.substr(0, 500); }

/// Whether it answers a request that 2026-07-28 has no more: checks of their own say that it should not be served, and
/// no schema says how.
inline bool answers_what_is_gone(const Session& session, const Message& message) {
  if (!session.revision().modern) return false;
  const std::string_view method = session.method_answered_by(message);
  return method == "initialize" || method == "ping" || method == "logging/setLevel" ||
         method == "resources/subscribe" || method == "resources/unsubscribe";
}

}  // namespace toolwire::conformance
