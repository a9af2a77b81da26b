#include "conversation.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace toolwire::dev {
namespace {

constexpr std::string_view own = "toolwire-dev/";
constexpr std::string_view greeting = "toolwire-dev/greeting";
constexpr std::string_view revision_key = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view subscription_key = "io.modelcontextprotocol/subscriptionId";
constexpr int internal_error = -32603;

/// What a list is called in capabilities and in filters of subscriptions.
struct List {
  std::string_view capability, filter;
};
constexpr std::array lists{List{"tools", "toolsListChanged"}, List{"prompts", "promptsListChanged"},
                           List{"resources", "resourcesListChanged"}};

std::optional<Json> parsed(std::string_view line) {
  try {
    return parse_json(line);
  } catch (const JsonError&) {
    return std::nullopt;
  }
}

const Json* member(const JsonObject& object, std::string_view name) { return object.if_contains(name); }

std::string method_of(const JsonObject& message) {
  const Json* const method = member(message, "method");
  return method != nullptr && method->is_string() ? std::string(method->get_string()) : std::string();
}

JsonObject params_of(const JsonObject& message) {
  const Json* const params = member(message, "params");
  return params != nullptr && params->is_object() ? params->get_object() : JsonObject();
}

std::string line_of(JsonObject message) { return to_json_text(Json(std::move(message))); }

JsonObject request(const Json& id, std::string_view method, JsonObject params) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
}

std::string notification(std::string_view method, JsonObject params = {}) {
  JsonObject message{{"jsonrpc", "2.0"}, {"method", method}};
  if (!params.empty()) message["params"] = std::move(params);
  return line_of(std::move(message));
}

std::string error(const Json& id, const std::string& text) {
  return line_of({{"jsonrpc", "2.0"}, {"id", id}, {"error", JsonObject{{"code", internal_error}, {"message", text}}}});
}

std::string list_changed(std::string_view capability) {
  return "notifications/" + std::string(capability) + "/list_changed";
}

bool is_list_change(const std::string& method) {
  return std::ranges::any_of(lists, [&](const List& list) { return method == list_changed(list.capability); });
}

/// The id of the subscription that a notification belongs to, as JSON text.
std::string subscription_of(const JsonObject& message) {
  const JsonObject params = params_of(message);
  const Json* const meta = member(params, "_meta");
  const Json* const id = meta != nullptr && meta->is_object() ? member(meta->get_object(), subscription_key) : nullptr;
  return id == nullptr ? std::string() : to_json_text(*id);
}

/// Each list may change with the next version, whatever this one says.
void say_that_lists_change(JsonObject& result) {
  Json* const capabilities = result.if_contains("capabilities");
  if (capabilities == nullptr || !capabilities->is_object()) return;
  for (const List& list : lists) {
    Json* const one = capabilities->get_object().if_contains(list.capability);
    if (one != nullptr && one->is_object()) one->get_object()["listChanged"] = true;
  }
}

}  // namespace

Json Conversation::own_id() { return Json(std::string(own) + std::to_string(++own_ids_)); }

std::vector<Sent> Conversation::from_host(std::string_view line) {
  std::optional<Json> message = parsed(line);
  if (message && message->is_array()) return batch_of_host(message->get_array(), line);
  if (!message || !message->is_object()) {
    if (current_ == 0) return {};
    return {{current_, std::string(line)}};
  }
  JsonObject& object = message->get_object();
  if (method_of(object).empty()) return answer_of_host(std::move(object), line);
  return member(object, "id") == nullptr ? notification_of_host(object, line) : request_of_host(object, line);
}

/// What the next version has to know.
void Conversation::note(const JsonObject& request) {
  const std::string method = method_of(request);
  const JsonObject params = params_of(request);
  if (method == "initialize") {
    initialize_ = request;
    initialize_key_ = to_json_text(request.at("id"));
    is_initialized_ = false;
  }
  if (method == "logging/setLevel") level_ = params;
  const Json* const uri = member(params, "uri");
  if (uri != nullptr && uri->is_string()) {
    if (method == "resources/subscribe") subscribed_.emplace(uri->get_string());
    if (method == "resources/unsubscribe") subscribed_.erase(std::string(uri->get_string()));
  }
  const Json* const meta = member(params, "_meta");
  if (meta != nullptr && meta->is_object() && meta->get_object().contains(revision_key)) meta_ = meta->get_object();
}

std::vector<Sent> Conversation::request_of_host(const JsonObject& message, std::string_view line) {
  const Json& id = message.at("id");
  if (current_ == 0 && hopeless_) return {{Sent::to_host, error(id, *hopeless_)}};
  note(message);
  Asked asked{.by = current_, .method = method_of(message)};
  if (asked.method == "subscriptions/listen") asked.request = message;
  asked_[to_json_text(id)] = std::move(asked);
  if (current_ == 0) {
    waiting_.emplace_back(line);
    return {};
  }
  return {{current_, std::string(line)}};
}

std::vector<Sent> Conversation::notification_of_host(const JsonObject& message, std::string_view line) {
  const std::string method = method_of(message);
  if (method == "notifications/initialized") is_initialized_ = true;
  Version to = current_;
  if (method == "notifications/cancelled") {
    const JsonObject params = params_of(message);
    const Json* const id = member(params, "requestId");
    const auto asked = id == nullptr ? asked_.end() : asked_.find(to_json_text(*id));
    if (asked != asked_.end()) {
      to = asked->second.by;
      asked_.erase(asked);  // it may be answered no more
    }
  }
  if (to == 0) {
    if (current_ == 0 && !hopeless_) waiting_.emplace_back(line);
    return {};
  }
  return {{to, std::string(line)}};
}

std::vector<Sent> Conversation::answer_of_host(JsonObject message, std::string_view line) {
  const Json* const id = member(message, "id");
  const auto question =
      id == nullptr || !id->is_string() ? questions_.end() : questions_.find(std::string(id->get_string()));
  if (question == questions_.end()) {
    if (current_ == 0) return {};
    return {{current_, std::string(line)}};
  }
  message["id"] = question->second.id;
  const Version to = question->second.of;
  questions_.erase(question);
  return {{to, line_of(std::move(message))}};
}

std::vector<Sent> Conversation::batch_of_host(const JsonArray& batch, std::string_view line) {
  JsonArray refused;
  bool has_calls = false;
  for (const Json& message : batch) {
    if (!message.is_object()) continue;
    const JsonObject& object = message.get_object();
    if (method_of(object).empty()) continue;
    has_calls = true;
    if (member(object, "id") == nullptr) continue;
    if (current_ == 0 && hopeless_) {
      refused.push_back(parse_json(error(object.at("id"), *hopeless_)));
      continue;
    }
    note(object);
    asked_[to_json_text(object.at("id"))] = {.by = current_, .method = method_of(object)};
  }
  if (!refused.empty()) return {{Sent::to_host, to_json_text(Json(std::move(refused)))}};
  if (current_ != 0) return {{current_, std::string(line)}};
  if (has_calls && !hopeless_) waiting_.emplace_back(line);
  return {};
}

std::vector<Sent> Conversation::from_server(Version version, std::string_view line) {
  std::optional<Json> message = parsed(line);
  if (message && message->is_array() && version == current_) {
    for (const Json& one : message->get_array()) {
      if (one.is_object() && one.get_object().contains("id")) asked_.erase(to_json_text(one.get_object().at("id")));
    }
    has_answered_ = true;
    return {{Sent::to_host, std::string(line)}};
  }
  if (!message || !message->is_object()) return {};
  JsonObject& object = message->get_object();
  const bool has_id = member(object, "id") != nullptr;
  if (version == greeted_) {
    const bool is_answer = has_id && method_of(object).empty() && object.at("id") == Json(greeting);
    return is_answer ? answer_of_greeted(object) : std::vector<Sent>();
  }
  if (method_of(object).empty())
    return has_id ? answer_of_server(version, std::move(object), line) : std::vector<Sent>();
  return has_id ? question_of_server(version, std::move(object))
                : notification_of_server(version, std::move(object), line);
}

std::vector<Sent> Conversation::answer_of_server(Version version, JsonObject message, std::string_view line) {
  const auto asked = asked_.find(to_json_text(message.at("id")));
  if (asked == asked_.end() || asked->second.by != version) return {};  // to what we have told it, or too late
  const std::string method = asked->second.method;
  asked_.erase(asked);
  if (version == current_) has_answered_ = true;
  Json* const result = message.if_contains("result");
  if ((method != "initialize" && method != "server/discover") || result == nullptr || !result->is_object())
    return {{Sent::to_host, std::string(line)}};
  say_that_lists_change(result->get_object());
  if (const Json* const capabilities = member(result->get_object(), "capabilities");
      method == "initialize" && capabilities != nullptr && capabilities->is_object())
    told_capabilities_ = capabilities->get_object();
  return {{Sent::to_host, line_of(std::move(message))}};
}

/// Two versions may ask with the same id: the host is asked with one of ours.
std::vector<Sent> Conversation::question_of_server(Version version, JsonObject message) {
  const Json id = own_id();
  questions_[std::string(id.get_string())] = {.of = version, .id = message.at("id")};
  message["id"] = id;
  return {{Sent::to_host, line_of(std::move(message))}};
}

std::vector<Sent> Conversation::notification_of_server(Version version, JsonObject message, std::string_view line) {
  const std::string method = method_of(message);
  if (method == "notifications/cancelled") {
    Json* const params = message.if_contains("params");
    Json* const id = params != nullptr && params->is_object() ? params->get_object().if_contains("requestId") : nullptr;
    const auto question = std::ranges::find_if(questions_, [&](const auto& entry) {
      return id != nullptr && entry.second.of == version && entry.second.id == *id;
    });
    if (question == questions_.end()) return {};
    *id = question->first;
    questions_.erase(question);
    return {{Sent::to_host, line_of(std::move(message))}};
  }
  if (method == "notifications/subscriptions/acknowledged" && repeated_listens_.erase(subscription_of(message)) > 0)
    return {};
  // What an old version has or watches concerns nobody any more; how its calls go on does.
  const bool is_of_state = is_list_change(method) || method == "notifications/resources/updated";
  if (version != current_ && is_of_state) return {};
  return {{Sent::to_host, std::string(line)}};
}

std::vector<Sent> Conversation::greet(Version version) {
  greeted_ = version;
  hopeless_.reset();
  if (initialize_) {
    JsonObject again = *initialize_;
    again["id"] = greeting;
    return {{version, line_of(std::move(again))}};
  }
  if (meta_) return {{version, line_of(request(Json(greeting), "server/discover", {{"_meta", *meta_}}))}};
  return take_over(Json());  // the host has not said anything yet
}

std::vector<Sent> Conversation::answer_of_greeted(const JsonObject& message) {
  if (const Json* const result = member(message, "result"); result != nullptr) return take_over(*result);
  const Json* const failure = member(message, "error");
  refusal_ = failure == nullptr ? "it answers without a result" : "it answers with an error: " + to_json_text(*failure);
  return {};
}

std::vector<Sent> Conversation::take_over(const Json& result) {
  current_ = std::exchange(greeted_, 0);
  has_answered_ = false;
  std::vector<Sent> sent;
  // The host still waits for what the version before has not answered, or has waited for this one.
  if (const auto asked = asked_.find(initialize_key_);
      initialize_ && asked != asked_.end() && asked->second.method == "initialize" && result.is_object()) {
    asked->second.by = current_;
    JsonObject answer{{"jsonrpc", "2.0"}, {"id", initialize_->at("id")}, {"result", result}};
    sent = answer_of_server(current_, answer, line_of(answer));
    std::erase_if(waiting_, [&](const std::string& line) {
      const Json message = parse_json(line);
      return message.is_object() && method_of(message.get_object()) == "initialize";
    });
  } else {
    tell_what_was_set(sent);
    tell_lists_changed(sent);
  }
  for (std::string& line : std::exchange(waiting_, {})) {
    for (Sent& one : from_host(line)) sent.push_back(std::move(one));
  }
  return sent;
}

/// The new version learns what the host has set with the one before.
void Conversation::tell_what_was_set(std::vector<Sent>& sent) {
  if (is_initialized_) sent.push_back({current_, notification("notifications/initialized")});
  if (level_ && initialize_) sent.push_back({current_, line_of(request(own_id(), "logging/setLevel", *level_))});
  for (const std::string& uri : subscribed_)
    sent.push_back({current_, line_of(request(own_id(), "resources/subscribe", {{"uri", uri}}))});
  for (auto& [id, asked] : asked_) {
    if (asked.method != "subscriptions/listen" || asked.by == 0) continue;
    asked.by = current_;
    repeated_listens_.insert(id);
    sent.push_back({current_, line_of(asked.request)});
  }
}

void Conversation::tell_lists_changed(std::vector<Sent>& sent) const {
  for (const List& list : lists) {
    if (is_initialized_ && told_capabilities_.contains(list.capability))
      sent.push_back({Sent::to_host, notification(list_changed(list.capability))});
  }
  for (const auto& [id, asked] : asked_) {
    if (asked.method != "subscriptions/listen" || asked.by != current_) continue;
    const JsonObject params = params_of(asked.request);
    const Json* const filter = member(params, "notifications");
    for (const List& list : lists) {
      const Json* const wanted =
          filter != nullptr && filter->is_object() ? member(filter->get_object(), list.filter) : nullptr;
      if (wanted != nullptr && *wanted == Json(true))
        sent.push_back({Sent::to_host, notification(list_changed(list.capability),
                                                    {{"_meta", JsonObject{{subscription_key, parse_json(id)}}}})});
    }
  }
}

std::vector<Sent> Conversation::give_up(const std::string& reason) {
  greeted_ = 0;
  if (current_ != 0) return {};
  hopeless_ = reason;
  waiting_.clear();
  return ended(0, reason);
}

std::vector<Sent> Conversation::ended(Version version, const std::string& how) {
  std::vector<Sent> sent;
  for (auto asked = asked_.begin(); asked != asked_.end();) {
    if (asked->second.by != version) {
      ++asked;
      continue;
    }
    sent.push_back({Sent::to_host, error(parse_json(asked->first), how)});
    asked = asked_.erase(asked);
  }
  for (auto question = questions_.begin(); question != questions_.end();) {
    if (question->second.of != version) {
      ++question;
      continue;
    }
    sent.push_back({Sent::to_host, notification("notifications/cancelled", {{"requestId", question->first}})});
    question = questions_.erase(question);
  }
  if (version == current_) current_ = 0;
  if (version == greeted_) greeted_ = 0;
  return sent;
}

std::optional<std::string> Conversation::refusal() { return std::exchange(refusal_, std::nullopt); }

std::size_t Conversation::owed_by(Version version) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(asked_, [&](const auto& entry) { return entry.second.by == version; }));
}

bool Conversation::is_done(Version version) const {
  return version != current_ && version != greeted_ && owed_by(version) == 0;
}

}  // namespace toolwire::dev
