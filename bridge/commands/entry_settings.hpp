// A server as the hosts' files describe it, in the words of a bindings file. Takes values, returns values.
#pragma once

#include <toolwire/json.hpp>

#include "configuration/server_entry.hpp"
#include "manifest/findings.hpp"

namespace toolwire::bridge {

/// As an entry of "servers" in a bindings file has it, as far as the entry says it.
JsonObject entry_settings(const ServerEntry& entry);

/// What is wrong with its address or headers goes to `findings`, where the entry has it. Whether anything is.
bool has_wrong_address(const ServerEntry& entry, Findings& findings);

}  // namespace toolwire::bridge
