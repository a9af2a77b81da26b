// What is known of one foreign scenario: its manifest, how old it is, when to ask again. Sends nothing and has no
// clock.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <toolwire/bridge/manifest.hpp>

#include <toolwire/http/detail/http_client.hpp>

namespace toolwire::bridge {

/// The state of a scenario. A plain value.
struct ScenarioView {
  enum class State {
    unknown,  // not asked yet
    fresh,
    stale,   // it does not answer, or not with a manifest: the last manifest is kept
    absent,  // nothing usable was ever received, or it uses an unknown version of the protocol
  };
  std::string url = {};  // as its operator wrote it
  State state = State::unknown;
  std::string problem = {};                            // why it is not fresh
  std::shared_ptr<const Manifest> manifest = nullptr;  // null if unknown or absent
};

struct ScenarioSettings {
  std::string base_url = {};                     // "http://localhost:15000"; the endpoints are below it
  HttpHeaders headers = {};                      // a bearer token
  std::chrono::milliseconds deadline{5'000};     // of one request
  std::chrono::seconds min_age{60};              // how long an answer is valid at least, whatever it says
  std::chrono::seconds max_age{3'600};           // and at most
  std::chrono::milliseconds first_retry{1'000};  // after a failure; doubled each time, up to `min_age`
};

/// One thread.
class ScenarioCache {
 public:
  using Clock = std::chrono::steady_clock;

  explicit ScenarioCache(ScenarioSettings settings);

  /// When to ask next.
  Clock::time_point due() const { return due_; }
  /// The request to send now. It names the tag of what is known, unless the scenario was down meanwhile: then it may
  /// have been restarted, and is asked for the whole manifest.
  HttpRequest request(Clock::time_point now) const;
  /// Takes the outcome of the request. Returns whether the view has changed: another manifest or another state.
  bool take(HttpOutcome&& outcome, Clock::time_point now);

  const ScenarioView& view() const { return view_; }

 private:
  bool take_response(const HttpResponse& response, Clock::time_point now);
  bool take_document(const HttpResponse& response, Clock::time_point now);
  bool keep(const HttpResponse& response, Clock::time_point now);
  bool fail(std::string problem, Clock::time_point now, bool drop);

  const ScenarioSettings settings_;
  ScenarioView view_;
  std::string tag_;
  std::string body_;  // of what is known
  Clock::time_point due_ = Clock::time_point::min();
  std::chrono::milliseconds retry_;
};

/// How long an answer says it is valid: `max-age` of its `Cache-Control`.
std::optional<std::chrono::seconds> max_age_of(const HttpResponse& response);

}  // namespace toolwire::bridge
