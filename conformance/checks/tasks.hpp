// What the checks of both forms of tasks share.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "probe/probe.hpp"

namespace toolwire::conformance {

/// completed, failed or cancelled.
bool is_terminal(std::string_view status);
/// YYYY-MM-DDThh:mm:ss…
bool is_timestamp(const Json& json);
/// Whether ids look counted or timed: equal but for a short end.
bool look_guessable(const std::vector<std::string>& ids);

/// tasks/get until `reached` says so, at most for the time of an answer; the last result. Skips if the task still works
/// then: there is no rule how long it should.
template <class Reached>
Json poll_task(Probe& probe, Session& session, const std::string& id, Reached reached) {
  const auto until = Clock::now() + probe.timeout();
  while (true) {
    const Answer answer = session.request("tasks/get", {{"taskId", id}});
    probe.expect_result(answer, "tasks/get");
    if (reached(answer.result)) return answer.result;
    if (Clock::now() > until) {
      if (text_of(get(answer.result, "status")) == "working")
        probe.skip("the task takes longer than " + std::to_string(probe.timeout().count()) +
                   " ms; name a quicker one in a profile, or a longer --timeout");
      return answer.result;
    }
    session.listen_for(std::chrono::milliseconds(30));
  }
}

inline std::string_view status_of(const Json& task) { return text_of(get(task, "status")); }
inline bool is_done(const Json& task) { return is_terminal(status_of(task)); }

}  // namespace toolwire::conformance
