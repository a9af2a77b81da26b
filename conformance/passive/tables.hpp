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

}  // namespace toolwire::conformance
