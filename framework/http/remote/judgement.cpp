#include "remote/judgement.hpp"

#include <utility>

#include <toolwire/json_members.hpp>
#include <toolwire/text.hpp>

#include <toolwire/http/detail/header_text.hpp>
#include <toolwire/http/detail/retry_after.hpp>

namespace toolwire::remote {
namespace {

using std::chrono::milliseconds;

constexpr unsigned max_tries = 4;
constexpr milliseconds max_retry_wait{30'000};
constexpr std::size_t max_shown = 200;

/// Without its parameters.
std::string media_type(const HttpResponse& head) {
  const std::string_view stated = head.header("content-type").value_or("");
  return header_text::lower(header_text::trimmed(stated.substr(0, stated.find(';'))));
}

/// What the server says of an error, in quotes.
std::string said_in(std::string_view body, const HttpResponse& head) {
  std::string said;
  if (const auto error = error_in(body)) {
    said = text_or(*error, "message");
  } else if (media_type(head) == "text/plain") {
    said = body;
  } else if (media_type(head) == "application/json") {
    try {
      const Json json = parse_json(body);
      for (const std::string_view name : {"error_description", "message", "detail", "error"}) {
        if (said.empty()) said = text_or(json, name);
      }
    } catch (const JsonError&) {  // then it is not shown
    }
  }
  said = text::stripped(said);
  return said.empty() ? said : ": \"" + std::string(text::head(said, max_shown)) + "\"";
}

bool complains_of_session(const std::optional<JsonObject>& error) {
  return error && header_text::lower(text_member(*error, "message")).find("session") != std::string::npos;
}

std::string access_text(const HttpResponse& head, const std::string& said, const std::string& login_needed) {
  const bool unknown = head.status == 401;
  const bool oauth =
      header_text::lower(head.header("www-authenticate").value_or("")).find("resource_metadata") != std::string::npos;
  if (!login_needed.empty())
    return std::string(unknown ? "refuses access (HTTP 401)" : "does not allow this (HTTP 403)") + said + "; " +
           login_needed + (unknown && !oauth ? ", or \"headers\" of the server with what it knows you by" : "");
  return std::string(unknown ? "refuses access (HTTP 401)" : "does not allow this (HTTP 403)") + said +
         "; expected \"headers\" of " + (unknown ? "the server with what it knows you by" : "somebody who may") +
         ", most often \"Authorization\"" +
         (unknown && oauth ? ", as a service tells you to make it: this client does not log in by itself" : "");
}

std::string text_of_status(const HttpResponse& head) {
  switch (head.status) {
    case 404:
      return "has no MCP endpoint at this path (HTTP 404)";
    case 405:
      return "takes no messages at this path (HTTP 405): expected an endpoint of Streamable HTTP";
    case 429:
      return "has had too many requests (HTTP 429)";
    case 502:
    case 503:
    case 504:
      return "is not available (HTTP " + std::to_string(head.status) + ")";
    default:
      return "answered HTTP " + std::to_string(head.status);
  }
}

Failure failure_of(const HttpResponse& head, std::string text) {
  const bool later = head.status == 429 || (head.status >= 502 && head.status <= 504);
  Failure failure{.code = head.status == 429 ? "busy"
                          : later            ? "unavailable"
                                             : "back_end_error",
                  .text = std::move(text),
                  .retryable = later,
                  .is_unknown = head.status == 502 || head.status == 504};  // it may have reached who does the work
  if (const auto wait = later ? retry_after(head) : std::nullopt) failure.retry_after_ms = milliseconds(*wait).count();
  return failure;
}

}  // namespace

BodyForm form_of(const HttpResponse& head) {
  if (!head.success()) return BodyForm::reason;
  const std::string type = media_type(head);
  return type == "text/event-stream"                             ? BodyForm::events
         : type == "application/json" || type.ends_with("+json") ? BodyForm::json
                                                                 : BodyForm::reason;
}

std::optional<milliseconds> time_to_retry(const HttpResponse& head, const SentMessage& message, unsigned tries) {
  const bool was_not_begun = head.status == 429;
  if (tries >= max_tries || !(was_not_begun || (head.status == 503 && message.only_reads()))) return std::nullopt;
  const auto stated = retry_after(head);
  const milliseconds wait = stated ? milliseconds(*stated) : milliseconds(500) * (1U << tries);
  return wait <= max_retry_wait ? std::optional(wait) : std::nullopt;
}

Refusal refusal_of(const HttpResponse& head, std::string_view body, const SentMessage& message,
                   const Conversation& conversation) {
  const auto error = head.success() ? std::nullopt : error_in(body);
  const bool is_gone = head.status == 404 || (head.status == 400 && complains_of_session(error));
  if (conversation.has_session && !message.modern() && is_gone)
    return {.end = conversation.origin + " no longer knows the session (HTTP " + std::to_string(head.status) + ")",
            .session_lost = true};
  if (head.status == 401 || head.status == 403) {
    std::string text = conversation.origin + " " + access_text(head, said_in(body, head), conversation.login_needed);
    if (!conversation.is_open) return {.end = std::move(text)};
    return {.failure = Failure{.code = "unauthorized", .text = std::move(text)}};
  }
  if (error) return {.error = error};
  if (head.success())
    return {.failure =
                Failure{.code = "back_end_error",
                        .text = conversation.origin + " answered a request with neither JSON nor events, but \"" +
                                text::stripped(media_type(head)).substr(0, max_shown) + "\" (HTTP " +
                                std::to_string(head.status) + ")",
                        .is_unknown = true}};
  return {.failure = failure_of(head, conversation.origin + " " + text_of_status(head) + said_in(body, head))};
}

Refusal refusal_of(const HttpFailure& failure, const Conversation& conversation) {
  std::string text = failure.text;
  if (!conversation.is_open) return {.end = std::move(text)};
  return {.failure = Failure{.code = failure.code,
                             .text = std::move(text),
                             .retryable = failure.retryable() || failure.is_unknown(),
                             .is_unknown = failure.is_unknown()}};
}

}  // namespace toolwire::remote
