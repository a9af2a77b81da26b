// Starts the host under judgement once, with a played server as its server, and returns what passed between them. It
// makes no judgement.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <toolwire/json.hpp>

#include "driver/server_process.hpp"
#include "play/cases.hpp"

namespace toolwire::conformance {

/// How a host is told to call a tool, as a profile has it: {"call": ["--call", "{tool}", "{arguments}"]}.
struct HostProfile {
  HostProfile() = default;
  /// Throws std::invalid_argument saying what is wrong.
  explicit HostProfile(const Json& json);
  std::vector<std::string> call = {};
};

/// The host, and how to start it.
struct Host {
  Launch launch;  // its command has {server}, {config} or {call} where the suite fills them in
  HostProfile profile = {};
  std::chrono::milliseconds wait{3000};         // for what it should answer
  std::chrono::milliseconds start_wait{15000};  // until it has started the server
  std::chrono::milliseconds watch{3000};        // how long an unanswered request is watched
  std::chrono::milliseconds quiet{1500};        // after a case; then a host that has not ended is asked to
  std::string main = "tools/list";              // the request at which cases do what is wrong
};

/// One start of the host.
struct Play {
  const Case* played = nullptr;
  const Revision* revision = nullptr;
  std::vector<PlayedSession> sessions = {};
  Ending ending = {};
  std::string output = {}, errors = {};  // of the host
  bool ended_by_itself = false;          // else it was asked to, when nothing happened any more
  bool left_server = false;              // a server was still there when it had ended
  std::chrono::milliseconds begun{0}, time{0};
};

/// The command with the server's in it: its three words for `{server}`, or one text for it inside a word; the file for
/// `{config}`; the words of the profile for `{call}`. Where nothing names the server, its words stand at the end; those
/// of the call stand behind all if nothing names them.
std::vector<std::string> filled_in(const Host& host, const std::filesystem::path& folder);

/// Throws std::system_error if the host cannot be started, RunEnded once the run is to end.
Play play_once(const Host& host, const Case& played, const Revision& revision);

}  // namespace toolwire::conformance
