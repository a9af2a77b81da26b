// Calls that are tasks, as they stand in a nats-server's streams: where each part of one is, and what it says, sealed.
// What is on its own for good stands there once; whoever puts it there first has said it.
//
// Two streams. In the one a call waits until a worker takes it out. In the other stands what is known of it:
//   made      which worker it is for; by the replica, before all else
//   in        its text, as far as it is too long for one message
//   begun.N   that a worker has begun it, for the Nth time; a worker begins only what it was the first to say this of
//   out.N     parts of what came of that
//   end       what it has come to: an answer, or that it was given up
// On its own, kept nowhere, goes what a worker says meanwhile (`beat`). Independent of how all this is sent.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sealed/sealing.hpp"

namespace toolwire::nats {

using bridge::Sealing;

/// The two streams. A plain value.
struct JobStreams {
  std::string waiting;
  std::string results;
};
JobStreams job_streams(const std::string& name);

/// Which call, for which worker. A plain value. Its names are safe in subjects.
struct JobName {
  std::string worker = {};
  std::string id = {};
};

/// The id of the call that a task makes for the `attempt`th time, from 1; it tells nobody the id of the task.
std::string job_id(std::string_view task, int attempt);

/// Its subjects, below `prefix`.
class JobSubjects {
 public:
  JobSubjects(std::string prefix, JobName job) : prefix_(std::move(prefix)), job_(std::move(job)) {}

  std::string made() const { return prefix_ + ".made." + job_.id; }
  /// `tool`: its name, which strangers do not see.
  std::string waiting(std::string_view tool) const;
  std::string in(std::size_t part) const { return below("in", part); }
  std::string begun(std::int64_t time) const { return below("begun", static_cast<std::size_t>(time)); }
  std::string out(std::int64_t time, std::size_t part) const { return below("out." + std::to_string(time), part); }
  std::string end() const { return prefix_ + ".job." + job_.worker + "." + job_.id + ".end"; }
  std::string beat() const { return prefix_ + ".beat." + job_.worker + "." + job_.id; }

 private:
  std::string below(std::string_view what, std::size_t part) const;

  std::string prefix_;
  JobName job_;
};

using WallTime = Sealing::Time;
WallTime wall_time();

/// What a call is for, and how often it may begin. Plain values all.
struct Made {
  std::string worker;
  bool again = false;   ///< It may be begun again where a worker dies with it: its tool is idempotent, or only reads.
  WallTime until = {};  ///< From then on it does not begin.
  WallTime ends = {};   ///< From then on nobody waits for it; the epoch: somebody always does.
  std::string waiting = {};  ///< The subject at which it waits.
};
struct Ticket {
  std::string id;
  bool again = false;
  WallTime until = {};
  WallTime ends = {};
  std::chrono::milliseconds lease{0};  ///< How long a worker that says nothing counts as running.
  std::string tools = {};              ///< A hash of the tool.
  std::size_t parts = 0;               ///< That its text goes on in.
  std::string text = {};
};
struct Ending {
  bool is_answer = false;  ///< Else it was given up, and the text says why.
  std::int64_t time = 0;   ///< The one of its beginnings that has come to this.
  std::size_t parts = 0;
  std::string text = {};
};
/// What a worker says in between.
struct Said {
  std::int64_t time = 0;
  std::int64_t number = 0;
  std::string text = {};  ///< A message of MCP, or nothing: it still works.
};

std::string text_of(const Made& made);
std::string text_of(const Ticket& ticket);
std::string text_of(const Ending& ending);
std::string text_of(const Said& said);
std::optional<Made> made_in(std::string_view text);
std::optional<Ticket> ticket_in(std::string_view text);
std::optional<Ending> ending_in(std::string_view text);
std::optional<Said> said_in(std::string_view text);

/// A text in pieces that fit into messages so long; at least one.
std::vector<std::string> in_parts(std::string_view text, std::size_t max_payload);

}  // namespace toolwire::nats
