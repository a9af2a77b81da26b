// What checks of a host are: judges of what was recorded while cases were played. They start nothing.
#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "client/host.hpp"

namespace toolwire::conformance {

/// What a check says of the plays it looks at, together.
struct Verdicts {
  std::size_t looked_at = 0;            // what it applies to
  std::string expected = {}, got = {};  // of the first violation; empty: none
  const Play* shown = nullptr;          // where that was
  bool only_warns = false;              // it is not worth more than a warning

  void fault(const Play& play, std::string what_was_expected, std::string what_came) {
    if (shown != nullptr) return;
    shown = &play, expected = std::move(what_was_expected), got = std::move(what_came);
  }
};

/// What is known of the host from the cases that a correct server played.
struct HostTraits {
  bool shows_answers = false;            // it prints what the main request was answered
  bool ends_by_itself = false;           // when its work is done
  bool hears = false;                    // it has answered one of the pings behind what cases do
  bool ends_well = false;                // with status 0
  bool calls = false;                    // a tool
  bool is_told_to_call = false;          // by the words of a profile
  std::string output = {}, errors = {};  // what it wrote when all went well
};

struct HostCheck {
  std::string_view id;
  /// The names of those it looks at, with blanks between. "*": all of them; what stands behind it shows best.
  std::string_view cases;
  void (*judge)(const Play& play, const HostTraits& traits, Verdicts& verdicts);
  std::string_view unseen;  // why it is not judged, where there was nothing to look at
  bool looks_at_all() const { return cases.starts_with('*'); }
  bool looks_at(std::string_view played) const { return looks_at_all() || names(played); }
  bool names(std::string_view played) const;
};

/// All of them.
const std::vector<HostCheck>& host_checks();

std::span<const HostCheck> answer_host_checks();
std::span<const HostCheck> ending_host_checks();
std::span<const HostCheck> handshake_host_checks();
std::span<const HostCheck> line_host_checks();
std::span<const HostCheck> message_host_checks();
std::span<const HostCheck> modern_host_checks();
std::span<const HostCheck> question_host_checks();
std::span<const HostCheck> request_host_checks();

}  // namespace toolwire::conformance
