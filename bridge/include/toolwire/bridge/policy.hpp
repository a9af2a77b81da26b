// Where policies take part in a call: what judges it before it runs, what is put around its Activity, what observes its
// end. Interfaces only; knows neither how a call gets here nor any particular policy.
//
// The order of a call: tool lookup, meta fields, schema, rate check, Approval, rate charge, deadline, Confirmation,
// Activity (decorated), output validation, bounds of the output, Observers, answer.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <toolwire/bridge/activity.hpp>
#include <toolwire/bridge/call.hpp>
#include <toolwire/bridge/definition.hpp>
#include <toolwire/context.hpp>
#include <toolwire/result.hpp>

namespace toolwire::bridge {

/// A call on its way, as policies see it. Lives until the call has ended.
struct CallInHand {
  using Clock = std::chrono::steady_clock;

  const ToolDefinition& tool;
  const Call& call;
  ActivityContext& context;
  Clock::time_point began = {};
  std::string decision = {};  // what an Approval decided and why, in a few words; for the audit log
};

/// The call continues.
struct GoOn {};
/// It ends here: the model reads the result, usually `failure("denied", …, false)`.
struct Refuse {
  ToolResult result;
};
/// It continues with other parameters, which are checked as the caller's were.
struct Modify {
  Json parameters;
};
/// It continues without its Activity, with this output, which is checked as the Activity's would be.
struct Replace {
  Json output;
};
/// `Questions`: the user is asked, and the whole call comes again with the answers (`context.request().answer<T>`).
using Decision = std::variant<GoOn, Refuse, Modify, Replace, Questions>;

/// Who may call what. Judged after the rate check and before the call is charged or has any effect. A bridge without an
/// Approval refuses tools that require one. Thread-safe.
class Approval {
 public:
  /// The question's key. A call whose only answer is this one has not been charged yet.
  static constexpr std::string_view key = "dev.toolwire/approval";

  virtual ~Approval() = default;
  /// Whether the user may be asked about calls of this tool: answers to questions of such tools count only once.
  virtual bool asks_about(const ToolDefinition& tool) const { return tool.metadata.requires_approval; }
  /// Never waits. What it throws refuses the call.
  virtual Decision decide(CallInHand& call) = 0;
};

/// A hook of the embedding program, immediately before execution: deadline running, rate charged, approval given.
/// Never waits; what it throws refuses the call. Called from several threads.
using Confirmation = std::function<Decision(CallInHand&)>;

/// Puts something around the Activity of a tool (retries, polling, a cache): returns `inner` or an Activity that uses
/// it. Called once for each pair of tool and Activity, before its first call; never under a lock. `inner` is null for
/// a latent tool.
using Decorator = std::function<ActivityPointer(const ToolDefinition& tool, ActivityPointer inner)>;

/// How one request ended. A call that asks the user is a request for each round.
struct CallEnd {
  std::string_view code = {};            // "ok", "asked", "error", or the code of a failure: "timeout", "cancelled" …
  std::chrono::nanoseconds duration{0};  // since the tool was found
  const AnyOutcome* outcome = nullptr;   // as it is sent; null if nothing is sent any more
};

/// Observes every call: audit log, metrics. Thread-safe, quick, and does not throw.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void began(const CallInHand& call) { static_cast<void>(call); }
  virtual void ended(const CallInHand& call, const CallEnd& end) = 0;
};

}  // namespace toolwire::bridge
