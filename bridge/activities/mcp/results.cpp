#include "activities/mcp/results.hpp"

#include <utility>

#include <toolwire/client.hpp>
#include <toolwire/redact.hpp>

#include "activities/clean_text.hpp"

namespace toolwire::bridge::mcp {
namespace {

constexpr std::string_view reserved = "io.modelcontextprotocol/";
constexpr std::string_view client_capabilities = "io.modelcontextprotocol/clientCapabilities";

/// Members that say something about one connection only: revision, software, subscription, the token of progress.
bool is_of_connection(std::string_view key) { return key.starts_with(reserved) || key == "progressToken"; }

JsonObject passable_capabilities(const Json& declared) {
  JsonObject passable;
  const JsonObject* all = declared.if_object();
  for (const std::string_view name : {"elicitation", "sampling", "roots"}) {
    if (const Json* one = all == nullptr ? nullptr : all->if_contains(name)) passable[name] = *one;
  }
  return passable;
}

}  // namespace

ToolResult tool_result_from(Json&& raw) {
  ToolResult result;
  JsonObject* members = raw.if_object();
  if (members == nullptr) return failure("back_end_error", "The back-end sent a result that is no object.", false);
  if (Json* content = members->if_contains("content"); content != nullptr && content->is_array()) {
    result.content.reserve(content->get_array().size());
    for (Json& block : content->get_array()) result.content.push_back({.item = Json(std::move(block))});
  }
  // Constructed in place by a move: it keeps the memory of its message instead of being copied out of it.
  if (Json* structured = members->if_contains("structuredContent")) result.structured.emplace(std::move(*structured));
  if (const Json* is_error = members->if_contains("isError"))
    result.is_error = is_error->is_bool() && is_error->get_bool();
  if (const Json* meta = members->if_contains("_meta"); meta != nullptr && meta->is_object()) {
    for (const auto& [key, value] : meta->get_object()) {
      if (!is_of_connection(key)) result.meta[key] = value;
    }
  }
  return result;
}

ToolResult tool_result_from(const Trouble& trouble) {
  return failure(trouble.code, trouble.text, trouble.retryable, trouble.retry_after_ms);
}

Trouble trouble_from(const std::exception_ptr& error, const std::string& back_end) {
  const std::string subject = "The back-end \"" + back_end + "\"";
  try {
    std::rethrow_exception(error);
  } catch (const ConnectionError& lost) {
    return {"unavailable", subject + " failed: " + redact(clean_text(lost.what())), true};
  } catch (const TimeoutError& late) {
    return {"timeout", subject + " did not answer in time: " + clean_text(late.what()), true};
  } catch (const CancelledError&) {
    return {"cancelled", "The call was cancelled.", false};
  } catch (const ProtocolError& refused) {
    return {"back_end_error",
            subject + " refused the call: " + clean_text(refused.what()) + " (" + std::to_string(refused.code) + ")",
            false,
            {},
            refused.code};
  } catch (const std::exception& other) {
    return {"back_end_error", subject + " cannot be used: " + clean_text(other.what()), false};
  }
}

JsonObject meta_for_back_end(const JsonObject& meta, bool capabilities) {
  JsonObject passed;
  for (const auto& [key, value] : meta) {
    if (!is_of_connection(key)) passed[key] = value;
  }
  const Json* declared = capabilities ? meta.if_contains(client_capabilities) : nullptr;
  if (declared != nullptr) passed[client_capabilities] = passable_capabilities(*declared);
  return passed;
}

bool may_ask(std::string_view method) {
  return method == "elicitation/create" || method == "sampling/createMessage" || method == "roots/list";
}

}  // namespace toolwire::bridge::mcp
