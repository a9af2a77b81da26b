// The server under test as a whole: how to start it, which revisions it serves, what it offers in each, and which of
// that may be called. It makes no judgement.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "catalogue/fixtures.hpp"
#include "driver/revision.hpp"
#include "driver/session.hpp"
#include "target/origin.hpp"

namespace toolwire::conformance {

/// What is wrong with the start of a server that should have answered.
struct StartFault {
  std::string check = {};  // the id of its requirement, of the group start-up
  std::string expected = {}, got = {}, transcript = {};
  std::string foreign = {};  // the line that is no message, if that is the fault
  Stimuli sent = {};
};

/// What the server offers in one revision.
struct Offer {
  const Revision* revision = nullptr;
  bool served = false;
  std::chrono::milliseconds start_time{0};  // until its session was open, all revisions starting at once
  std::string problem = {};                 // why it is not served, for people; with the last of its stderr
  StartFault fault = {};                    // if it is not served, or what came before its first answer is no message
  Json opening = {};                        // the result of `initialize` or `server/discover`
  JsonObject capabilities = {};
  JsonArray tools = {}, resources = {}, templates = {}, prompts = {};
  std::map<std::string, Fixture, std::less<>> found = {};  // by their kinds: see discovery.hpp
  std::vector<StartedAs> processes = {};                   // the server's, those last started first

  /// Null if it is not listed.
  const Json* tool(std::string_view name) const;
  const Json* prompt(std::string_view name) const;
  const Json* resource(std::string_view uri) const;
  const Json* resource_template(std::string_view uri_template) const;
  bool has(std::string_view capability) const { return capabilities.contains(capability); }
};

/// Conversations by chance that are asked for.
struct Fuzzing {
  std::uint64_t seed = 0;                  // of the first; each after it has the next number
  std::chrono::milliseconds time{10'000};  // of each revision
};

struct Target {
  Launch launch;
  Profile profile{};
  std::set<std::string> allowed_tools = {};        // --allow-tool
  std::chrono::milliseconds timeout{5000};         // of one answer
  std::chrono::milliseconds start_timeout{15000};  // of the first answer of a process
  std::chrono::milliseconds start_time{0};         // measured: from a start to the answer that opens a session
  std::optional<Fuzzing> fuzzing = {};             // --fuzz
  bool patient = false;                            // include what takes a minute
  std::map<std::string_view, Offer> offers = {};   // by revision
  std::set<std::string> read_only_tools = {};      // that say so in any revision, and in none the opposite

  /// How the server runs: what `launch` started in the end, and `launch` itself.
  std::vector<StartedAs> commands() const;
  bool serves_any() const;
  bool serves_legacy() const;
  /// Whether calling it can do no harm: it says so, or the user does.
  bool may_call(std::string_view tool) const;
};

/// Starts the server once for each revision, at the same time, and asks what it offers; where it says nothing, once
/// more alone. Takes no longer than twice the start timeout where the server never answers, and ends at once where it
/// shows that it never will: its output ends, sends our own requests back, or does not stop. Throws std::system_error
/// if it cannot be started at all.
void survey(Target& target);

}  // namespace toolwire::conformance
