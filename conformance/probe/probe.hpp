// The tools of a check: sessions with the server, the fixtures it may use, and functions that record its verdict.
#pragma once

#include <algorithm>
#include <chrono>
#include <list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "catalogue/verdict.hpp"
#include "passive/passive.hpp"
#include "probe/http_peer.hpp"
#include "target/target.hpp"

namespace toolwire::conformance {

/// A tool that may be called, with arguments that fit.
struct Callable {
  std::string name;
  JsonObject arguments;
  JsonObject params() const { return {{"name", name}, {"arguments", arguments}}; }
};

/// One check in one revision. Not thread-safe. Its sessions end with it, except the shared one.
class Probe {
 public:
  /// `shared` is the session the checks of a group have in common; made when first asked for.
  Probe(const Target& target, const Offer& offer, const Requirement& requirement, std::unique_ptr<Session>& shared,
        Passive& passive);
  ~Probe();

  const Requirement& requirement() const { return requirement_; }
  const Revision& revision() const { return *offer_.revision; }
  bool modern() const { return revision().modern; }
  /// Revisions compare by their dates: `since("2025-06-18")`.
  bool since(std::string_view name) const { return revision().name >= name; }
  const Target& target() const { return target_; }
  const Offer& offer() const { return offer_; }
  std::chrono::milliseconds timeout() const { return target_.timeout; }
  /// The same where the server has more to do than to answer, which takes `at_least` that long at worst.
  std::chrono::milliseconds timeout(std::chrono::milliseconds at_least) const {
    return std::max(at_least, target_.timeout);
  }
  /// `time`, and what this server needs until it can react to anything: for limits that begin with its start.
  std::chrono::milliseconds after_start(std::chrono::milliseconds time) const { return time + 3 * target_.start_time; }
  /// How long something may be on its way still when what was sent behind it has been answered within `time`.
  std::chrono::milliseconds overtaken(Clock::duration time) const;
  /// Whether some wait of this check ended because its time was up, or it compared times: a busy machine may be the
  /// cause of what it found.
  bool rests_on_time() const;
  /// Whether the server refused a request of this check because too many came before it, which it may and, of calls,
  /// MUST (server/tools § Security Considerations): what it found says nothing then.
  bool was_refused_as_too_many() const;
  /// Says that what is expected next is a time.
  void compares_times() { compared_times_ = true; }

  /// The session of the group: opened, with all capabilities. A new one if the last has died. Skips if none can be
  /// opened.
  Session& session();
  /// A session of its own, not opened.
  Session& fresh(SessionOptions options = {});
  /// The same with a server that is started in another way; skips over HTTP.
  Session& fresh(SessionOptions options, const Launch& launch);
  /// The same, opened; skips if that fails.
  Session& opened(JsonObject capabilities = {});
  Session& opened(JsonObject capabilities, const Launch& launch);
  /// Ends a session of its own: passive checks do not look at it, and what it was about is in no report.
  void drop(Session& session);
  /// Over HTTP: a client whose requests the check makes itself; not opened.
  HttpPeer& peer(JsonObject capabilities = {});
  /// The same, opened; skips if that fails.
  HttpPeer& opened_peer(JsonObject capabilities = {});
  /// The session is about malformed input or a fault: passive checks do not look at it.
  void do_not_judge(Session& session) { unjudged_.push_back(&session); }

  /// Whether the server has it, in this revision, and it may be used: by its name, or as it was found by looking.
  std::optional<Fixture> find(std::string_view kind) const;
  /// Skips if it is not there.
  Fixture need(std::string_view kind) const;
  Callable need_tool(std::string_view kind) const;
  /// With one placeholder filled: need_tool("tool:slow", "SECONDS", 10).
  Callable need_tool(std::string_view kind, std::string_view placeholder, const Json& value) const;
  /// Any tool that may be called and whose arguments can be made from its schema; skips if there is none.
  Callable any_tool() const;
  void need_capability(std::string_view capability) const;

  /// Ends the check unless it holds. What is broken follows from the level of the requirement.
  void expect(bool holds, const std::string& expected, const std::string& got) const {
    if (!holds) fail(expected, got);
  }
  [[noreturn]] void fail(std::string expected, std::string got) const;
  /// A crash, a hang, lost synchronisation, foreign bytes: FAIL, whatever the level.
  [[noreturn]] void broken(std::string expected, std::string got) const;
  /// Not more than a warning, whatever the level.
  [[noreturn]] void warn(std::string expected, std::string got) const;
  [[noreturn]] void skip(std::string reason) const;
  [[noreturn]] void info(std::string text) const;
  /// `broken` unless the server still answers; returns that answer.
  Answer expect_alive(Session& session) const;
  /// `broken` if nothing came or the output ended, else the answer; over HTTP it may be a refusal.
  const Answer& expect_answer(const Answer& answer, const std::string& to_what) const;
  void expect_result(const Answer& answer, const std::string& to_what) const;
  /// The answer to a request no client should send, which a server may take for no request at all: nothing within
  /// `grace`, at least that of `overtaken`, after it served another one is a warning, no more; `broken` if it serves no
  /// other.
  Answer expect_reply(Session& session, const Json& id, const std::string& to_what,
                      std::chrono::milliseconds grace = std::chrono::milliseconds(0)) const;
  /// Any of the codes.
  void expect_error(const Answer& answer, std::initializer_list<int> codes, const std::string& to_what) const;

  /// Runs `check` and says what came of it.
  Finding run(void (*check)(Probe&));

 private:
  Session& keep(std::unique_ptr<Session> session);
  Session& start(SessionOptions options, const Launch& launch);
  void begin(Session& session) const;
  std::string transcript() const;
  /// What the sessions show of the reason of a failure, and what was sent in the one that shows it.
  void explain(Finding& finding) const;
  void finish(Session& session);

  const Target& target_;
  const Offer& offer_;
  const Requirement& requirement_;
  std::unique_ptr<Session>& shared_;
  Passive& passive_;
  std::list<std::unique_ptr<Session>> own_;
  std::list<std::unique_ptr<HttpPeer>> peers_;
  std::list<Session*> unjudged_;
  std::size_t shared_begin_ = 0;  // event of the shared session when the check began
  std::size_t shared_mark_ = 0;   // its messages until then
  std::size_t shared_waits_ = 0;  // its unmet waits until then
  bool used_shared_ = false;
  bool compared_times_ = false;
};

/// A request every server answers with a result.
inline std::string_view harmless(const Probe& probe) { return probe.modern() ? "server/discover" : "ping"; }

/// Whether a server may send it before the client has spoken: in the legacy era a ping or a log message, else nothing.
inline bool may_come_first(const Probe& probe, const Message& message) {
  return !probe.modern() && (message.method() == "ping" || message.method() == "notifications/message");
}

}  // namespace toolwire::conformance
