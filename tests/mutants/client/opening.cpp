// How the session is opened: with a probe, with the handshake, or with nothing.
#include <string_view>

#include "session.hpp"

using namespace toolwire;

namespace judged_client {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view known[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};
constexpr int many_starts = 15;
constexpr int unsupported_version = -32022;
constexpr int method_not_found = -32601;

bool is_known(const Json& version) {
  for (const std::string_view it : known) {
    if (version == Json(it)) return true;
  }
  return false;
}

std::string_view asked_version(const Settings& settings) {
  if (settings.has("odd-version")) return "2024-01-01";
  return settings.has("asks-older") ? "2024-11-05" : "2025-11-25";
}

}  // namespace

bool Session::offers(const char* capability) const {
  const bool asks_anyway = settings_.has("asks-everything") || settings_.has("ignores-initialize-error");
  return asks_anyway || member(capabilities_, capability).is_object();
}

/// A new process of the server, whose messages are taken from now on.
void Session::start() {
  link_ = nullptr;
  link_ = std::make_unique<ServerLink>(settings_);
  incoming_ = std::make_unique<Incoming>(settings_, *link_);
  incoming_->list_again = [this] { send_request("tools/list", {}); };
}

void Session::open() {
  if (modern_ && discover()) return;
  if (!modern_) initialize();
}

/// Whether the server is of 2026-07-28; else the session is of the other era, and may need a new process.
bool Session::discover() {
  const Json id = send_request("server/discover", {});
  const Json message = wait_for(id, settings_.dual ? 500ms : 3000ms);
  const Json code = member(member(message, "error"), "code");
  if (code == Json(unsupported_version) && !settings_.has("falls-back-always")) {
    for (int i = 0; settings_.has("retries-forever") && i < 8; ++i)
      wait_for(send_request("server/discover", {}), 500ms);
    throw Ends{"no revision in common"};
  }
  if (member(message, "result").is_object()) {
    take_opening(member(message, "result"));
    if (settings_.has("initialize-as-well")) send_request("initialize", {});
    return true;
  }
  const bool knows_no_fallback = settings_.has("no-fallback") && code != Json(method_not_found);
  if (knows_no_fallback || (settings_.modern && !settings_.has("falls-back-always"))) throw Ends{"refused"};
  modern_ = false;
  if (!link_->ended()) return false;
  if (settings_.has("no-restart")) throw Ends{"the server has ended"};
  start();
  return false;
}

void Session::initialize() {
  if (settings_.has("lists-first")) send_request("tools/list", {});
  JsonObject capabilities;
  if (settings_.declares)
    capabilities = {{"roots", JsonObject{}}, {"sampling", JsonObject{}}, {"elicitation", JsonObject{}}};
  if (settings_.has("capability-true")) capabilities["roots"] = true;
  JsonObject params{{"protocolVersion", asked_version(settings_)}, {"capabilities", capabilities}};
  if (!settings_.has("no-client-info")) params["clientInfo"] = JsonObject{{"name", "judged"}, {"version", "1"}};
  const Json id = send_request("initialize", std::move(params));
  if (settings_.has("initialized-early")) notify("notifications/initialized");
  if (settings_.has("bad-bytes")) link_->write("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/a\xff\"}\n");
  if (settings_.has("cancels-initialize")) notify("notifications/cancelled", {{"requestId", id}});
  if (settings_.has("impatient")) send_request("tools/list", {});
  const Json message = wait_for(id, settings_.has("impatient-start") ? 500ms : 3000ms);
  if (message.is_null() && settings_.has("waits-for-ever")) give_up(id);
  if (message.is_null() && settings_.has("starts-again") && ++starts_ < many_starts) return start(), initialize();
  if (message.is_null()) throw Ends{settings_.has("silent-failure") ? "" : "initialize is not answered"};
  const bool ignores = settings_.has("ignores-initialize-error") && !member(message, "error").is_null();
  if (!ignores) take_opening(outcome(message));
}

void Session::take_opening(const Json& result) {
  capabilities_ = member(result, "capabilities");
  if (!member(result, "toolwireOdd").is_null() && settings_.has("strict-members")) throw Ends{"an unknown member"};
  if (modern_) return;
  const Json version = member(result, "protocolVersion");
  const bool is_taken = (settings_.has("takes-later-version") && version == Json("2999-12-31")) ||
                        (settings_.has("takes-number-version") && version.is_number());
  if (!is_known(version) && !is_taken && !settings_.has("takes-any-version"))
    throw Ends{"a revision that this does not speak"};
  if (settings_.has("initialized-with-id")) send({{"id", 77}, {"method", "notifications/initialized"}});
  const bool is_told = settings_.has("initialized-late") || settings_.has("initialized-early");
  if (!settings_.has("no-initialized") && !is_told) notify("notifications/initialized");
  if (settings_.has("initialized-twice")) notify("notifications/initialized");
}

}  // namespace judged_client
