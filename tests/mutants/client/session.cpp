#include "session.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace toolwire;

namespace judged_client {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::string_view meta_prefix = "io.modelcontextprotocol/";

std::string meta(std::string_view name) { return std::string(meta_prefix) + std::string(name); }

JsonObject capabilities_of(const Settings& settings) {
  if (!settings.declares) return {};
  return {{"roots", JsonObject{}}, {"sampling", JsonObject{}}, {"elicitation", JsonObject{}}};
}

std::string text_of(const Json& id) { return id.is_string() ? std::string(id.get_string()) : to_json_text(id); }

}  // namespace

Session::Session(const Settings& settings) : settings_(settings), modern_(settings.modern || settings.dual) {}

Json Session::new_id() {
  if (settings_.has("same-ids") && last_id_ > 1) return Json(last_id_);
  ++last_id_;
  if (settings_.has("null-ids")) return nullptr;
  return settings_.has("fraction-ids") ? Json(static_cast<double>(last_id_) + 0.5) : Json(last_id_);
}

void Session::send(JsonObject message) {
  const bool is_notification = !message.contains("id");
  if (!is_notification || !settings_.has("no-jsonrpc")) message["jsonrpc"] = "2.0";
  if (settings_.has("params-array") && !message.contains("params")) message["params"] = JsonArray{};
  std::string line = to_json_text(message);
  if (settings_.has("batches") && !is_notification && message["method"] != Json("initialize")) line = "[" + line + "]";
  if (settings_.has("pretty-prints")) line.insert(1, "\n  ");
  link_->write(line + "\n");
}

void Session::add_meta(JsonObject& params) {
  if (!modern_) return;
  JsonObject& all = params["_meta"].is_object() ? params["_meta"].as_object() : params["_meta"].emplace_object();
  if (!settings_.has("no-meta-version")) all[meta("protocolVersion")] = "2026-07-28";
  if (settings_.has("misspelt-version")) all[meta("protocolVersion")] = "2026-7-28";
  if (settings_.has("other-version") && last_id_ > 1) all[meta("protocolVersion")] = "2025-11-25";
  if (!settings_.has("no-meta-capabilities")) all[meta("clientCapabilities")] = capabilities_of(settings_);
  if (!settings_.has("no-meta-info")) all[meta("clientInfo")] = JsonObject{{"name", "judged"}, {"version", "1"}};
}

Json Session::send_request(std::string_view method, JsonObject params) {
  Json id = new_id();
  add_meta(params);
  JsonObject message{{"id", id}, {"method", method}};
  if (!params.empty()) message["params"] = std::move(params);
  send(std::move(message));
  return id;
}

void Session::notify(std::string_view method, JsonObject params) {
  JsonObject message{{"method", method}};
  if (!params.empty()) message["params"] = std::move(params);
  send(std::move(message));
}

bool Session::is_answer(const Json& message, const Json& id) const {
  const bool confuses = settings_.has("confuses-ids");
  if (!message.is_object() || (!member(message, "method").is_null() && !confuses)) return false;
  if (!message.get_object().contains("result") && !message.get_object().contains("error") && !confuses &&
      !message.get_object().contains("id"))
    return false;
  if (settings_.has("takes-any-answer") && member(message, "method").is_null()) return true;
  if (settings_.has("ids-loosely") && (member(message, "id").is_string() || member(message, "id").is_number()))
    return text_of(member(message, "id")) == text_of(id);
  return member(message, "id") == id;
}

/// The whole response; null if it did not come, and nothing else for this time.
Json Session::wait_for(const Json& id, std::chrono::milliseconds time) {
  const auto begin = Clock::now();
  for (;;) {
    const auto until = std::max(begin, link_->last_output()) + time;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    const auto line = left.count() > 0 ? link_->next_line(left) : std::nullopt;
    const bool may_come = !link_->ended() && link_->last_output() + time > Clock::now();
    if (!line && may_come) continue;
    if (!line) return nullptr;
    const Json message = incoming_->read(*line);
    const bool is_unversioned = message.is_object() && member(message, "jsonrpc").is_null();
    if (is_unversioned && settings_.has("crashes-at-odd-answer")) ::abort();
    if (is_answer(message, id)) return waited_for_.insert(text_of(id)), message;
    const bool is_response = message.is_object() && member(message, "method").is_null() &&
                             (!member(message, "result").is_null() || !member(message, "error").is_null());
    if (!is_response) {
      incoming_->take(message);
      continue;
    }
    if (member(message, "id").is_null() && settings_.has("ends-at-null-id")) throw Ends{"an answer without id"};
    if (settings_.has("gives-up-at-unknown-id")) return nullptr;
    if (!member(message, "id").is_null() && settings_.has("ends-at-unknown-id")) throw Ends{"an answer of nobody"};
  }
}

Json Session::outcome(const Json& message) {
  const JsonObject& object = message.as_object();
  const Json error = member(message, "error");
  const bool is_odd = object.contains("result") == object.contains("error") ||
                      (object.contains("error") && !member(error, "code").is_int64()) ||
                      (object.contains("result") && !member(message, "result").is_object());
  if (is_odd && settings_.has("crashes-at-odd-answer")) ::abort();
  if (is_odd) throw Ends{"an answer that is none: " + to_json_text(message).substr(0, 200)};
  if (object.contains("error") && settings_.has("hangs-at-error")) ::pause();
  if (modern_ && member(error, "code") == Json(-32022) && settings_.has("falls-back-always"))
    modern_ = false, initialize();
  if (object.contains("error")) throw Ends{"refused: " + to_json_text(error)};
  return member(message, "result");
}

void Session::give_up(const Json& id) {
  if (link_->ended()) throw Ends{settings_.has("silent-failure") ? "" : "the server has ended"};
  if (settings_.has("waits-for-ever")) ::pause();
  Json shown = id;
  if (settings_.has("cancels-text-id")) shown = Json(text_of(id));
  const bool says_nothing = settings_.has("no-cancel") || settings_.has("ends-in-place-of-cancelling");
  if (!says_nothing) notify("notifications/cancelled", {{"requestId", shown}, {"reason", "too late"}});
  if (settings_.has("no-cancel")) send_request("tools/list", {});
  const Json late = settings_.has("shows-late-answer") ? wait_for(id, std::chrono::milliseconds{300}) : Json(nullptr);
  if (!late.is_null()) show(member(late, "result"));
  wait_for("nothing", std::chrono::milliseconds{50});  // what may still come
  throw Ends{"no answer in time"};
}

Json Session::request(std::string_view method, JsonObject params, std::chrono::milliseconds time) {
  const Json id = send_request(method, std::move(params));
  Json message = wait_for(id, time);
  for (int i = 0; settings_.has("asks-again-when-refused") && i < 8 && !member(message, "error").is_null(); ++i)
    message = wait_for(send_request(method, {}), time);
  if (message.is_null()) give_up(id);
  return outcome(message);
}

void Session::run() {
  start();
  open();
  incoming_->is_open = true;
  if (settings_.listens) listen();
  if (offers("tools")) list_tools();
  if (!settings_.tool.empty() && offers("tools")) call_tool();
  incoming_->is_done = true;
  part();
}

}  // namespace judged_client
