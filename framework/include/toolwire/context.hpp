// What a running tool may ask of its call: whether to stop, to report progress, the user's answers, the request's
// `_meta`. Deliberately does not know the protocol's revision, the transport or the session.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "toolwire/convert.hpp"
#include "toolwire/error.hpp"
#include "toolwire/json.hpp"

namespace toolwire {

/// The user's answer to a question. `value` is there only if the user accepted.
template <class T>
struct Answer {
  enum class Action { accept, decline, cancel };
  Action action = Action::cancel;
  std::optional<T> value = {};
  bool accepted() const { return value.has_value(); }
};

/// One tool call as its tool sees it. Lives until the call is answered; for a tool that answers later, as long as its
/// Reply. `stop_token`, `stop_requested` and `progress` may be used from any thread, the rest from the tool's own.
class Context {
 public:
  using ProgressSink = std::function<void(double done, std::optional<double> total, std::string_view message)>;

  /// `answers` (by key) and `meta` must live as long as the context.
  Context(std::stop_token stop, const JsonObject& answers, const JsonObject& meta)
      : stop_(std::move(stop)), answers_(answers), meta_(meta) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// Fires when the client cancels, the deadline passes, or the server is shutting down. Callbacks registered on it run
  /// on the thread that reads the connection: keep them short.
  std::stop_token stop_token() const { return stop_; }
  bool stop_requested() const { return stop_.stop_requested(); }

  /// Reports `done` of `total` (any unit). Sent only if the client asked for progress, at most 20 times a second, and
  /// only when `done` has grown (specification: basic/patterns/progress); the last report before the answer is always
  /// sent.
  void progress(double done, std::optional<double> total = {}, std::string_view message = {}) {
    if (progress_) progress_(done, total, message);
  }
  bool wants_progress() const { return static_cast<bool>(progress_); }

  /// The answer to the question `key` asked with `ask<T>`, or nothing if it was not asked yet.
  /// Throws InvalidArguments when the client sent content that does not fit T.
  template <class T>
  std::optional<Answer<T>> answer(std::string_view key) const;

  /// All answers so far by key, as the client sent them: for programs that pass questions on without knowing them.
  const JsonObject& answers() const { return answers_; }

  /// `_meta` of the request: vendor keys, trace context (traceparent, tracestate, baggage).
  const JsonObject& meta() const { return meta_; }

  /// Used by the framework when it prepares a call.
  void report_progress_to(ProgressSink sink) { progress_ = std::move(sink); }

 private:
  const JsonObject* answer_object(std::string_view key) const;

  std::stop_token stop_;
  const JsonObject& answers_;
  const JsonObject& meta_;
  ProgressSink progress_;
};

template <class T>
std::optional<Answer<T>> Context::answer(std::string_view key) const {
  const JsonObject* given = answer_object(key);
  if (given == nullptr) return std::nullopt;
  Answer<T> answer;
  Violations violations;
  if (const Json* action = given->if_contains("action")) {
    decode(*action, answer.action, std::string(key) + ".action", violations);
  } else {
    violations.add(std::string(key) + ".action", "missing (one of \"accept\", \"decline\", \"cancel\")");
  }
  if (violations.empty() && answer.action == Answer<T>::Action::accept) {
    const Json* content = given->if_contains("content");
    decode(content != nullptr ? *content : Json(JsonObject{}), answer.value.emplace(), std::string(key), violations);
  }
  if (!violations.empty()) throw InvalidArguments(violations.text());
  return answer;
}

}  // namespace toolwire
