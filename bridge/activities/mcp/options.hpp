// What is known of a back-end before it is started, and how it is treated. Plain values.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/child_process.hpp>
#include <toolwire/detail/back_off.hpp>
#include <toolwire/engine.hpp>
#include <toolwire/transport.hpp>

#include <toolwire/http/detail/http_client.hpp>
#include <toolwire/http/detail/remote_server.hpp>
#include "activities/mcp/inherited_environment.hpp"
#include "activities/mcp/listing.hpp"
#include "login/settings.hpp"
#include "system/program_version.hpp"
#include "traces/traces.hpp"

namespace toolwire::bridge::mcp {

/// What happens when a tool's description or schema no longer is the pinned one: its calls are refused until the
/// operator accepts the change, or the change is accepted at once (and still written to the log).
enum class OnChange { refuse, accept };

/// When the names of what a server offers begin with the name of the server: in any case; if another has the name
/// already; or never, and then what has the name of another is not offered.
enum class Prefix { on_conflict, always, never };

/// A conversation with a server that is reached by other means.
struct ReachedServer {
  std::unique_ptr<Transport> transport = {};
  /// Ends the conversation at once, from any thread, also when the transport is gone; the reason is what its client
  /// reads.
  std::function<void(const std::string& reason)> end = {};
};
/// Begins one; throws std::exception if that fails. Must not wait.
using ReachServer = std::function<ReachedServer()>;

/// The member of `_meta` that says who calls, to servers that are told.
inline constexpr std::string_view caller_member = "dev.toolwire/caller";

/// One server: a program that is started, or one that is reached over HTTP or otherwise. `command`, `environment` and
/// `directory` as in Program.
struct BackEndOptions {
  std::string name = {};                            // for texts and prefixes
  std::optional<remote::RemoteServer> remote = {};  // in the place of a program
  std::shared_ptr<HttpClient> http = {};            // that reaches it
  std::string reached_at = {};                      // in the place of both: where, and how it is reached there
  ReachServer reach = {};
  bool tells_caller = false;        // who calls, which it believes (caller_member)
  std::string_view kind = "mcp";    // of its Activities
  login::LoginSettings login = {};  // how it is logged in at, if nothing is said in `remote`
  std::string login_command = {};   // what a person types for that
  std::vector<std::string> command = {};
  std::map<std::string, std::string> environment = {};
  InheritedEnvironment inherit = {};
  std::string directory = {};

  std::string revision = {};           // of the protocol; empty: the newest that both sides know
  std::optional<Listing> pinned = {};  // its tools; if not given, those it has when it is first started
  Prefix prefix = Prefix::on_conflict;
  std::optional<std::vector<std::string>> only_tools = {};  // that are offered, by their own names; nothing: all
  std::vector<std::string> excluded_tools = {};
  std::vector<std::string> scopes = {};   // that callers over HTTP need for all it offers (ToolInfo::scopes)
  std::vector<std::string> secrets = {};  // values that are taken out of its messages and errors
  OnChange on_change = OnChange::refuse;
  /// Several hosts call it: what it says of no call in particular goes to a host only while it works on one call alone.
  bool shared = false;
  bool shareable = true;       // false: if it is shared, each host has a process of its own
  bool start_at_once = false;  // even if its tools are pinned, to learn what they are now
  /// Called with each of its lists, on its supervising thread, to keep it for the next start.
  std::function<void(const Listing&)> keep = {};

  BackOffOptions back_off = {};
  unsigned unasked_restarts = 5;                    // in a row; after that the next call starts it again
  std::chrono::milliseconds start_timeout{10'000};  // of the handshake, and of each page of a list
  std::chrono::milliseconds max_wait{5'000};        // of a call for a start that is put off; beyond: refused at once
  std::chrono::milliseconds between_listings{250};  // at least, however often the server says that its list changed
  std::chrono::milliseconds question_age{600'000};  // a question not answered by then ends its call
  std::size_t max_questions = 64;                   // open at once
  ChildProcess::Grace grace{std::chrono::milliseconds{500}, std::chrono::milliseconds{500}};
  std::shared_ptr<Engine> engine = {};  // whose threads it works on; empty: it has threads of its own

  std::shared_ptr<const traces::Traces> tracing = {};  // follows what is sent to it; empty: nobody does
  std::string client_name = "toolwire-bridge";         // how the bridge introduces itself
  std::string client_version = program_version();
  /// One line for the operator, without line feed; from any thread. Must not wait.
  std::function<void(const std::string&)> log = {};
};

}  // namespace toolwire::bridge::mcp
