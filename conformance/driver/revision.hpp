// The published revisions of the protocol and the two eras they belong to. Independent of any server.
#pragma once

#include <array>
#include <string_view>

namespace toolwire::conformance {

struct Revision {
  std::string_view name;
  bool modern = false;  // no handshake: every request carries revision and capabilities in `_meta`
};

inline constexpr std::array revisions{Revision{"2024-11-05"}, Revision{"2025-03-26"}, Revision{"2025-06-18"},
                                      Revision{"2025-11-25"}, Revision{"2026-07-28", true}};

inline const Revision* find_revision(std::string_view name) {
  for (const Revision& revision : revisions) {
    if (revision.name == name) return &revision;
  }
  return nullptr;
}

}  // namespace toolwire::conformance
