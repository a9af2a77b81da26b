#include "activities/mcp/results.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <toolwire/client.hpp>
#include <toolwire/json_members.hpp>
#include <toolwire/redact.hpp>
#include <toolwire/text.hpp>

namespace toolwire::bridge::mcp {
namespace {

constexpr std::string_view session_lost = "session_lost";  // as failures of remote servers have it
constexpr std::string_view client_capabilities = "io.modelcontextprotocol/clientCapabilities";

JsonObject passable_capabilities(const Json& declared) {
  JsonObject passable;
  const JsonObject* all = declared.if_object();
  for (const std::string_view name : {"elicitation", "sampling", "roots"}) {
    if (const Json* one = all == nullptr ? nullptr : all->if_contains(name)) passable[name] = *one;
  }
  return passable;
}

/// What a host can declare so that the bridge passes it on; nothing if the back-end wants anything else, too.
std::optional<Json> required_of_host(const ProtocolError& refused) {
  const JsonObject* const required = object_member(refused.data, "requiredCapabilities");
  if (refused.code != error_code::missing_client_capability || required == nullptr || required->empty())
    return std::nullopt;
  if (passable_capabilities(*required).size() != required->size()) return std::nullopt;
  return Json(*required);
}

/// Whether the request may have been carried out: the answer did not come, or cannot be read.
bool says_unknown(const ProtocolError& error) { return text_or(error.data, "outcome") == "unknown"; }

/// What a transport says of one request that did not reach the server, or whose answer did not come.
std::optional<Trouble> trouble_on_the_way(const ProtocolError& error, const std::string& subject) {
  if (!is_of_the_way(error)) return std::nullopt;
  const std::string code = text_or(error.data, "code");
  const Json& wait = member_or_null(error.data, "retryAfterMs");
  Trouble trouble{code == session_lost ? "unavailable" : code,
                  subject + " failed: " + redact(text::stripped(error.what(), text::lines)),
                  bool_member(error.data, "retryable").value_or(false)};
  trouble.is_unknown = says_unknown(error);
  if (wait.is_int64() && wait.get_int64() >= 0) trouble.retry_after_ms = wait.get_int64();
  return trouble;
}

}  // namespace

bool is_of_the_way(const ProtocolError& error) {
  constexpr std::array<std::string_view, 5> codes{"unavailable", "busy", "unauthorized", "too_large", session_lost};
  return std::ranges::find(codes, text_or(error.data, "code")) != codes.end();
}

bool was_of_a_lost_session(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const ProtocolError& refused) {
    return text_or(refused.data, "code") == session_lost;
  } catch (const std::exception&) {
    return false;
  }
}

ToolResult tool_result_from(const Trouble& trouble) {
  return trouble.is_unknown ? unknown_outcome(trouble.code, trouble.text)
                            : failure(trouble.code, trouble.text, trouble.retryable, trouble.retry_after_ms);
}

AnyOutcome tool_outcome_from(const Trouble& trouble) {
  if (trouble.required_capabilities) return protocol_error_from(trouble);
  return tool_result_from(trouble);
}

void take_out(Json& result, const std::vector<std::string>& secrets) {
  if (secrets.empty()) return;
  JsonObject* const members = result.if_object();
  const Json* const is_error = members == nullptr ? nullptr : members->if_contains("isError");
  if (is_error == nullptr || *is_error != true) return;
  Json* const content = members->if_contains("content");
  if (content == nullptr || !content->is_array()) return;
  for (Json& block : content->get_array()) {
    JsonObject* const parts = block.if_object();
    Json* const text = parts == nullptr ? nullptr : parts->if_contains("text");
    if (text != nullptr && text->is_string()) *text = without(std::string(text->get_string()), secrets);
  }
}

Trouble trouble_from(const std::exception_ptr& error, const std::string& back_end) {
  const std::string subject = "The back-end \"" + back_end + "\"";
  try {
    std::rethrow_exception(error);
  } catch (const ConnectionError& lost) {
    return {.code = "unavailable",
            .text = subject + " failed: " + redact(text::stripped(lost.what(), text::lines)),
            .retryable = true,
            .is_unknown = true};
  } catch (const TimeoutError& late) {
    return {.code = "timeout",
            .text = subject + " did not answer in time: " + text::stripped(late.what(), text::lines),
            .retryable = true,
            .is_unknown = true};
  } catch (const CancelledError&) {
    return {"cancelled", "The call was cancelled.", false};
  } catch (const ProtocolError& refused) {
    if (auto trouble = trouble_on_the_way(refused, subject)) return *trouble;
    if (says_unknown(refused))
      return {.code = "back_end_error",
              .text = subject + " failed: " + text::stripped(refused.what(), text::lines),
              .is_unknown = true};
    return {.code = "back_end_error",
            .text = subject + " refused the call: " + text::stripped(refused.what(), text::lines) + " (" +
                    std::to_string(refused.code) + ")",
            .refused_with = refused.code,
            .required_capabilities = required_of_host(refused)};
  } catch (const std::exception& other) {
    return {"back_end_error", subject + " cannot be used: " + text::stripped(other.what(), text::lines), false};
  }
}

Trouble trouble_from_error(const Json& error, const std::string& back_end) {
  const Json& code = member_or_null(error, "code");
  const bool is_code = code.is_int64() && std::in_range<int>(code.get_int64());
  return trouble_from(
      std::make_exception_ptr(
          is_code ? ProtocolError(static_cast<int>(code.get_int64()), text_or(error, "message"),
                                  member_or_null(error, "data"))
                  : ProtocolError(error_code::internal_error,
                                  "the answer has an error without an integer code: " + to_json_text(error))),
      back_end);
}

JsonObject meta_for_back_end(const JsonObject& meta) {
  JsonObject passed = passable_meta(meta);
  const Json* declared = meta.if_contains(client_capabilities);
  if (declared != nullptr) passed[client_capabilities] = passable_capabilities(*declared);
  return passed;
}

bool may_ask(std::string_view method) {
  return method == "elicitation/create" || method == "sampling/createMessage" || method == "roots/list";
}

}  // namespace toolwire::bridge::mcp
