// How a server starts: whether a session can be opened at all, and if not, why. The group start-up, judged from the
// survey; it has no stimulus of its own.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/verdict.hpp"
#include "driver/session.hpp"
#include "target/target.hpp"

namespace toolwire::conformance {

/// Looks at a session that waits for the answer to its first request. Not thread-safe.
class StartWatch {
 public:
  explicit StartWatch(Session& session) : session_(session) {}
  /// Whether the answer will not come any more.
  bool is_hopeless();

 private:
  bool is_echo();

  Session& session_;
  std::size_t looked_at_ = 0;
  bool echoed_ = false;
  std::optional<Clock::time_point> ended_at_ = {};
};

/// What is wrong with a session whose first request got this answer.
StartFault fault_of(Session& session, const Answer& answer);

/// The fault of a session that was opened: a line before the first answer that is no message. Else nothing.
StartFault fault_before_answer(Session& session);

/// The checks of the group.
std::span<const std::string_view> start_up_checks();

/// The findings of the group: for the revisions asked for, or else those the server serves and legacy ones it breaks
/// down in; for the newest legacy revision if it serves none.
std::vector<Finding> start_up_findings(const Target& target, const std::vector<std::string>& revisions_asked_for);

}  // namespace toolwire::conformance
