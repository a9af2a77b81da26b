// What makes several checks fail at once, as data: how it shows, what users lose, how it is mended, and whose it is
// where a known SDK does it. Compiled in from causes.json. Independent of the code of the checks.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/verdict.hpp"

namespace toolwire::conformance {

struct KnownCause {
  std::string id;
  Symptom symptom = Symptom::none;    // it shows by this …
  std::string stimulus;               // … after this; empty: whatever was sent
  std::string when;                   // or by this check, if it failed
  std::vector<std::string> explains;  // then these checks, or all of these groups, fail of it in the same revision
  std::vector<std::string> shown_by;  // the checks whose finding shows it best, the best first
  std::string says, loses, fix;
};

/// A library that speaks the protocol for servers.
struct Sdk {
  std::string name, registry, package;
  std::map<std::string, std::string> owns;  // causes that are its own, each with the address of its report, or ""
};

/// In the order of the file: what is more particular stands first.
std::span<const KnownCause> known_causes();
std::span<const Sdk> known_sdks();

}  // namespace toolwire::conformance
