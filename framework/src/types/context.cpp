#include "toolwire/context.hpp"

#include <algorithm>
#include <map>

#include "toolwire/detail/client_log.hpp"
#include "toolwire/detail/mutex.hpp"
#include "toolwire/detail/session_owner.hpp"
#include "toolwire/detail/stop_signal.hpp"
#include "toolwire/text.hpp"

namespace toolwire {
namespace {

[[noreturn]] void misfit(std::string_view key, std::string_view member, std::string_view expected) {
  throw InvalidArguments(std::string(key) + "." + std::string(member) + ": " + std::string(expected));
}

const Json& member_of(const JsonObject& answer, std::string_view key, std::string_view member,
                      std::string_view expected) {
  const Json* value = answer.if_contains(member);
  if (value == nullptr) misfit(key, member, expected);
  return *value;
}

std::string text_in(const JsonObject& answer, std::string_view key, std::string_view member, bool required) {
  const Json* value = answer.if_contains(member);
  if (value == nullptr && !required) return {};
  if (value == nullptr || !value->is_string()) misfit(key, member, "expected a string");
  return std::string(std::string_view(value->get_string()));
}

AnswerAction action_in(const JsonObject& answer, std::string_view key) {
  const std::string action = text_in(answer, key, "action", true);
  if (action == "accept") return AnswerAction::accept;
  if (action == "decline") return AnswerAction::decline;
  if (action == "cancel") return AnswerAction::cancel;
  misfit(key, "action", R"(expected one of "accept", "decline", "cancel")");
}

/// Whether the answer stands for a client's refusal of a request whose answers have no `action`.
bool is_refusal(const JsonObject& answer, std::string_view member) {
  return !answer.contains(member) && answer.contains("action");
}

}  // namespace

/// Each is made under a lock of its own, so that one may be made of another, and one that could not be made is tried
/// again.
struct Session::Slots {
  struct Slot {
    Mutex making;
    std::shared_ptr<void> value TOOLWIRE_GUARDED_BY(making);
  };
  Slot& of(std::type_index type) {
    const MutexLock lock(mutex);
    return by_type[type];
  }

  Mutex mutex;
  std::map<std::type_index, Slot> by_type TOOLWIRE_GUARDED_BY(mutex);
};

Session::~Session() { delete slots_.load(); }

/// Most connections have none: no room is kept for them.
std::shared_ptr<void> Session::slot_of(std::type_index type, std::shared_ptr<void> (*make)()) {
  Slots* slots = slots_.load(std::memory_order_acquire);
  if (slots == nullptr) {
    auto made = std::make_unique<Slots>();
    if (slots_.compare_exchange_strong(slots, made.get(), std::memory_order_acq_rel)) slots = made.release();
  }
  Slots::Slot& slot = slots->of(type);
  const MutexLock lock(slot.making);
  if (!slot.value) slot.value = make();
  return slot.value;
}

void Session::visibility_changed() {
  if (owner_ != nullptr) owner_->visibility_changed();
}

Session& Context::session() {
  if (session_ != nullptr) return *session_;
  if (!own_session_) own_session_ = std::make_unique<Session>(0);
  return *own_session_;
}

Principal::Principal() = default;
Principal::Principal(std::string name, std::vector<std::string> granted, JsonObject said)
    : id(std::move(name)), scopes(std::move(granted)), claims(std::move(said)) {}
Principal::Principal(const char* name) : id(name) {}

bool Principal::has_scope(std::string_view scope) const { return std::ranges::find(scopes, scope) != scopes.end(); }

/// What is bound to an id is kept in texts where a line break ends it, and in JSON.
bool is_principal_id(std::string_view text) {
  const auto is_control = [](char one) { return static_cast<unsigned char>(one) < 0x20 || one == 0x7f; };
  return text.size() <= max_principal_id && std::ranges::none_of(text, is_control) && text::is_valid(text);
}

bool is_scope(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char one) { return one >= 0x21 && one <= 0x7e && one != '"' && one != '\\'; });
}

Context::Context(std::stop_token stop, const JsonObject& answers, const JsonObject& meta, ProgressSink progress)
    : stop_(std::move(stop)), answers_(answers), meta_(meta), progress_(std::move(progress)) {}

Context::~Context() = default;

bool Context::can_ask(const Questions& questions) const {
  return can_ask_ && std::ranges::all_of(questions.list, can_ask_);
}

AnswerAction Context::action_of(const JsonObject& given, std::string_view key) {
  AnswerAction action = AnswerAction::cancel;
  Violations violations;
  const std::string path = std::string(key) + ".action";
  if (const Json* said = given.if_contains("action")) {
    decode(*said, action, path, violations);
  } else {
    violations.add(path, R"(missing (one of "accept", "decline", "cancel"))");
  }
  if (!violations.empty()) throw InvalidArguments(violations.text());
  return action;
}

void Context::read_content(const JsonObject& given, std::string_view key, const detail::Shape& shape, void* out) {
  const Json* content = given.if_contains("content");
  detail::decode_or_throw(shape, content != nullptr ? *content : Json(JsonObject{}), out, key);
}

const Principal& Context::nobody() {
  static const Principal none;
  return none;
}

std::stop_token Context::stop_token() const { return signal_ != nullptr ? signal_->stop_token() : stop_; }

bool Context::stop_requested() const { return signal_ != nullptr ? signal_->stop_requested() : stop_.stop_requested(); }

bool Context::wants_log(LogLevel level) const { return log_ != nullptr && log_->wants(level); }

void Context::log(LogLevel level, const Json& data, std::string_view logger) {
  if (wants_log(level)) log_->log(level, data, logger);
}

void Context::log(LogLevel level, std::string_view text, std::string_view logger) {
  if (wants_log(level)) log_->log(level, Json(text), logger);
}

const JsonObject& Context::client_info() const {
  static const JsonObject none;
  return client_info_ != nullptr ? *client_info_ : none;
}

const JsonObject* Context::answer_object(std::string_view key) const {
  const Json* answer = answers_.if_contains(key);
  return answer != nullptr ? answer->if_object() : nullptr;
}

std::optional<AnswerAction> Context::url_answer(std::string_view key) const {
  const JsonObject* given = answer_object(key);
  return given != nullptr ? std::optional(action_in(*given, key)) : std::nullopt;
}

std::optional<Answer<ModelAnswer>> Context::model_answer(std::string_view key) const {
  const JsonObject* given = answer_object(key);
  if (given == nullptr) return std::nullopt;
  if (is_refusal(*given, "content")) return Answer<ModelAnswer>{};
  ModelAnswer answer{text_in(*given, key, "role", true),
                     text_in(*given, key, "model", true),
                     text_in(*given, key, "stopReason", false),
                     {}};
  const Json& content = member_of(*given, key, "content", "expected a content block or an array of them");
  if (content.is_array()) {
    answer.content = content.get_array();
  } else if (content.is_object()) {
    answer.content.push_back(content);
  } else {
    misfit(key, "content", "expected a content block or an array of them");
  }
  return Answer<ModelAnswer>{AnswerAction::accept, std::move(answer)};
}

std::optional<Answer<std::vector<Root>>> Context::roots(std::string_view key) const {
  const JsonObject* given = answer_object(key);
  if (given == nullptr) return std::nullopt;
  if (is_refusal(*given, "roots")) return Answer<std::vector<Root>>{};
  const Json& list = member_of(*given, key, "roots", "expected an array of roots");
  if (!list.is_array()) misfit(key, "roots", "expected an array of roots");
  std::vector<Root> roots;
  for (const Json& root : list.get_array()) {
    if (!root.is_object()) misfit(key, "roots", "expected objects with a \"uri\"");
    roots.push_back({text_in(root.get_object(), key, "uri", true), text_in(root.get_object(), key, "name", false)});
  }
  return Answer<std::vector<Root>>{AnswerAction::accept, std::move(roots)};
}

}  // namespace toolwire
