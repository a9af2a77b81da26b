#include "incoming.hpp"

#include <unistd.h>

#include <cstdlib>
#include <utility>

using namespace toolwire;

namespace judged_client {
namespace {

constexpr std::size_t many = 50;

JsonObject refusal(int code, const char* text) { return {{"error", JsonObject{{"code", code}, {"message", text}}}}; }
JsonObject result(JsonObject members) { return {{"result", std::move(members)}}; }

std::string text(const Json& json) { return json.is_string() ? std::string(json.get_string()) : std::string(); }

bool is_declared(const Settings& settings, const std::string& method) {
  return settings.declares &&
         (method == "roots/list" || method.starts_with("sampling/") || method.starts_with("elicitation/"));
}

JsonObject roots(const Settings& settings) {
  if (settings.has("roots-object")) return result({{"roots", JsonObject{}}});
  const char* uri = settings.has("roots-paths") ? "/home/user" : "file:///home/user";
  const Json name = settings.has("roots-name-number") ? Json(7) : Json("home");
  return result({{"roots", JsonArray{JsonObject{{"uri", uri}, {"name", name}}}}});
}

JsonObject sample(const Settings& settings, const Json& params) {
  const bool is_valid = member(params, "messages").is_array() && member(params, "tools").is_null();
  if (!is_valid && !settings.has("no-validation")) return refusal(-32602, "invalid params");
  JsonObject answer{{"role", "assistant"}, {"content", JsonObject{{"type", "text"}, {"text", "2"}}}, {"model", "none"}};
  if (settings.has("sampling-no-model")) answer.erase("model");
  return result(std::move(answer));
}

JsonObject elicit(const Settings& settings, const Json& params) {
  const Json mode = member(params, "mode");
  const bool is_form = (mode.is_null() || mode == Json("form")) && member(params, "requestedSchema").is_object();
  if (!is_form && !settings.has("no-validation")) return refusal(-32602, "invalid params");
  if (settings.has("elicitation-no-action")) return result({{"content", JsonObject{{"name", "Ann"}}}});
  if (settings.has("elicitation-says-ok")) return result({{"action", "ok"}});
  if (settings.has("elicitation-empty")) return result({{"action", "accept"}});
  const Json name = settings.has("elicitation-wrong-content") ? Json(7) : Json("Ann");
  return result({{"action", "accept"}, {"content", JsonObject{{"name", name}}}});
}

/// As a parser that knows only doubles, or 32 bits, or texts would have it.
Json spoilt(const Settings& settings, const Json& id) {
  if (settings.has("ids-as-doubles") && id.is_int64())
    return Json(static_cast<std::int64_t>(static_cast<double>(id.get_int64())));
  if (settings.has("ids-as-int32") && id.is_int64()) return Json(static_cast<std::int32_t>(id.get_int64() % 1000003));
  if (settings.has("ids-as-numbers") && id.is_string()) return Json(std::atoi(id.get_string().c_str()));
  return id;
}

bool is_odd(const Json& message, const std::string& method) {
  const Json params = member(message, "params");
  const Json level = member(params, "level");
  return !(params.is_object() || params.is_null()) || (method == "notifications/message" && level == Json("loud"));
}

void split_at_separators(const Settings& settings, std::string& line) {
  if (!settings.has("splits-at-separators")) return;
  const std::size_t at = line.find("\xE2\x80\xA8");
  if (at != std::string::npos) throw Ends{"half of a message: " + line.substr(0, at)};
}

}  // namespace

Json member(const Json& json, std::string_view name) {
  const JsonObject* object = json.if_object();
  const Json* found = object != nullptr ? object->if_contains(name) : nullptr;
  return found != nullptr ? *found : Json(nullptr);
}

JsonObject answer_question(const Settings& settings, const std::string& method, const Json& params) {
  if (!is_declared(settings, method) && settings.has("answers-undeclared")) return result({{"answer", "yes"}});
  if (!is_declared(settings, method) && settings.has("agrees-to-everything")) return result({});
  if (!is_declared(settings, method)) return refusal(settings.has("other-code") ? -32600 : -32601, "method not found");
  if (method == "roots/list") return roots(settings);
  return method.starts_with("sampling/") ? sample(settings, params) : elicit(settings, params);
}

Json Incoming::read(std::string line) {
  if (settings_.has("short-lines") && line.size() > (std::size_t{64} << 10)) throw Ends{"a line is too long"};
  if (settings_.has("ends-at-surrogate") && line.find("\\ud800") != std::string::npos) throw Ends{"half a character"};
  split_at_separators(settings_, line);
  line.insert(0, std::exchange(broken_, {}));
  if (line.ends_with('\r') && settings_.has("strict-line-ends")) return nullptr;
  try {
    Json message = parse_json(line);
    if (!message.is_object() && !message.is_array() && settings_.has("ends-at-scalar")) throw Ends{"no object"};
    return message;
  } catch (const JsonError&) {
    if (settings_.has("merges-broken-lines")) broken_ = line;
    if (settings_.has("ends-at-foreign")) throw Ends{"no message: " + line.substr(0, 100)};
    return nullptr;
  }
}

void Incoming::take(const Json& message) {
  if (const JsonArray* batch = message.if_array()) {
    if (settings_.has("ends-at-array")) throw Ends{"an array"};
    if (settings_.has("drops-batches")) return;
    for (const Json& one : *batch) take(one);
    return;
  }
  if (!message.is_object()) return;
  if (member(message, "jsonrpc") != Json("2.0") && settings_.has("ends-at-wrong-version"))
    throw Ends{"no JSON-RPC 2.0"};
  const std::string method = text(member(message, "method"));
  if (method.empty()) {
    if (settings_.has("ends-at-odd-object")) throw Ends{"neither a request nor an answer"};
  } else if (message.get_object().contains("id")) {
    take_request(message, method);
  } else {
    take_notification(message, method);
  }
}

void Incoming::send(JsonObject message) {
  message["jsonrpc"] = "2.0";
  link_.write(to_json_text(message) + "\n");
}

JsonObject Incoming::answer_to(const std::string& method, const Json& params) {
  if (method == "ping" && settings_.has("pong-error")) return refusal(-32601, "method not found");
  if (method == "ping") {
    if (settings_.has("pong-text")) return result({{"answer", "pong"}});
    return result({});
  }
  JsonObject answer = answer_question(settings_, method, params);
  if (settings_.has("result-and-error")) answer["result"] = JsonObject{};
  if (settings_.has("error-code-text") && answer.contains("error")) answer["error"].as_object()["code"] = "E_METHOD";
  return answer;
}

void Incoming::take_request(const Json& message, const std::string& method) {
  if (settings_.modern && settings_.has("ends-at-request")) throw Ends{"a request"};
  if (settings_.modern) return;
  if (!is_open && settings_.has("deaf-while-opening")) return;
  const Json id = member(message, "id");
  const bool is_falsy = id == Json(0) || id == Json("");
  if (is_falsy && settings_.has("drops-falsy-ids")) return;
  if (method == "ping" && (settings_.has("no-pong") || (++pings_ > many && settings_.has("drops-many")))) return;
  if (method != "ping" && settings_.has("silent-questions")) return;
  if (method.starts_with("elicitation/") && settings_.has("blocks-at-question")) return void(::pause());
  JsonObject answer = answer_to(method, member(message, "params"));
  answer["id"] = spoilt(settings_, id);
  if (settings_.has("answers-twice")) send(answer);
  send(std::move(answer));
}

void Incoming::hear_progress(const Json& message) {
  const Json params = member(message, "params");
  const bool is_known = member(params, "progressToken").is_int64() && member(params, "progress").is_number();
  if (is_done && settings_.has("ends-at-late-progress")) throw Ends{"progress of what is done"};
  if (settings_.has("ends-at-progress")) throw Ends{"progress"};
  if (!is_known && settings_.has("ends-at-odd-progress")) throw Ends{"progress of nothing"};
}

void Incoming::take_notification(const Json& message, const std::string& method) {
  if (settings_.has("answers-notifications"))
    send({{"id", nullptr}, {"error", JsonObject{{"code", -32601}, {"message", "no"}}}});
  if (++notifications_ > many && settings_.has("ends-at-many")) throw Ends{"too many notifications"};
  if (!is_open && settings_.has("ends-at-early-log")) throw Ends{"a notification before the session is open"};
  if (is_odd(message, method) && settings_.has("ends-at-odd-notification")) throw Ends{"odd params"};
  if (method == "notifications/progress") return hear_progress(message);
  if (method == "notifications/cancelled" && settings_.has("ends-at-cancelled")) throw Ends{"a cancellation"};
  if (method == "notifications/tools/list_changed") {
    if (settings_.has("keeps-list") || (listed_again_ && !settings_.has("lists-each-time"))) return;
    listed_again_ = true;
    return list_again();
  }
  if (!method.starts_with("notifications/message") && method.find("toolwire/") != std::string::npos &&
      settings_.has("ends-at-unknown-notification"))
    throw Ends{"an unknown notification"};
}

}  // namespace judged_client
