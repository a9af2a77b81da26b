#include "activities/runtime/wire.hpp"

#include <algorithm>

#include <toolwire/json_members.hpp>

namespace toolwire::bridge::runtimes {
namespace {

constexpr std::string_view head = R"({"jsonrpc":"2.0","protocol":"1.0.0",)";

/// The major version decides.
void check_protocol(const Json& message) {
  const std::string protocol = text_or(message, "protocol");
  if (protocol == wire_version || protocol == "1" || protocol.starts_with("1.")) return;
  throw BrokenWire("it speaks " + (protocol.empty() ? std::string("no version of the wire") : "version " + protocol) +
                   ", expected " + std::string(wire_version));
}

std::optional<std::uint64_t> id_of(const Json* value) {
  if (value == nullptr || !value->is_number()) return std::nullopt;
  if (value->is_uint64()) return value->get_uint64();
  if (value->is_int64() && value->get_int64() >= 0) return static_cast<std::uint64_t>(value->get_int64());
  return std::nullopt;
}

void append_context(std::string& line, const ToolCall& call, std::uint64_t id,
                    std::optional<std::chrono::milliseconds> timeout) {
  line +=
      R"("context":{"sessionId":)" + to_json_text(Json(call.session)) + R"(,"messageId":")" + std::to_string(id) + '"';
  if (timeout) line += R"(,"timeout":)" + std::to_string(std::max<std::int64_t>(1, timeout->count()));
  if (call.wants_progress) line += R"(,"progress":true)";
  if (!call.meta.empty()) line += R"(,"meta":)" + to_json_text(call.meta);
  line += '}';
}

void append_tool(std::string& line, const ToolCall& call) {
  line += R"({"tool":)" + to_json_text(Json(call.tool)) + R"(,"parameters":)" + to_json_text(call.parameters);
}

}  // namespace

std::string request_line(std::uint64_t id, std::string_view method, std::string_view params) {
  std::string line(head);
  line.append("\"id\":").append(std::to_string(id)).append(",\"method\":\"").append(method);
  line.append("\",\"params\":").append(params).append("}\n");
  return line;
}

std::string execute_line(std::uint64_t id, const ToolCall& call, std::optional<std::chrono::milliseconds> timeout) {
  std::string params;
  append_tool(params, call);
  params += ',';
  append_context(params, call, id, timeout);
  params += '}';
  return request_line(id, "tool.execute", params);
}

std::string batch_line(std::uint64_t id, const std::vector<ToolCall>& calls,
                       std::optional<std::chrono::milliseconds> timeout) {
  std::string params = R"({"calls":[)";
  for (const ToolCall& call : calls) {
    if (&call != &calls.front()) params += ',';
    append_tool(params, call);
    params += '}';
  }
  params += "],";
  append_context(params, calls.front(), id, timeout);
  params += '}';
  return request_line(id, "tool.batch", params);
}

std::string cancel_line(std::uint64_t id, std::string_view reason) {
  std::string line(head);
  line.append(R"("method":"tool.cancel","params":{"id":)").append(std::to_string(id));
  line.append(R"(,"reason":")").append(reason).append("\"}}\n");
  return line;
}

RuntimeMessage read_runtime_message(std::string_view line) {
  Json message;
  try {
    message = parse_json(line, {.max_values = usual_json_values});
  } catch (const JsonError& error) {
    throw BrokenWire(std::string("it wrote what is no JSON to its standard output: ") + error.what());
  }
  if (!message.is_object()) throw BrokenWire("it wrote JSON that is no object");
  check_protocol(message);
  JsonObject& members = message.get_object();
  RuntimeMessage read;
  if (Json* params = members.if_contains("params"); params != nullptr && members.contains("method")) {
    const auto id = id_of(find_member(*params, "id"));
    if (text_or(message, "method") == "tool.progress" && id)
      read = {RuntimeMessage::Kind::progress, *id, std::move(*params)};
    return read;
  }
  const auto id = id_of(members.if_contains("id"));
  if (Json* error = members.if_contains("error"); error != nullptr && error->is_object()) {
    read.kind = id ? RuntimeMessage::Kind::error : RuntimeMessage::Kind::refusal;
    read.body = std::move(*error);
  } else if (Json* result = members.if_contains("result"); result != nullptr && id) {
    read.kind = RuntimeMessage::Kind::result;
    read.body = std::move(*result);
  } else {
    throw BrokenWire("it wrote a message that is neither an answer nor a notification");
  }
  read.id = id.value_or(0);
  return read;
}

RuntimeTrouble trouble_from(const Json& error) {
  const Json* const code = find_member(error, "code");
  const Json* const data = find_member(error, "data");
  const std::int64_t number = code != nullptr && code->is_int64() ? code->get_int64() : 0;
  std::string text = data == nullptr ? std::string() : text_or(*data, "details");
  if (text.empty()) text = text_or(error, "message");
  if (text.empty()) text = "the tool failed without saying why";
  const Json* const cancelled = data == nullptr ? nullptr : find_member(*data, "cancelled");
  if (number == -32001) return {"timeout", std::move(text)};
  if (number == -32002) return {"denied", std::move(text)};
  if (number == -32602) return {"invalid_arguments", std::move(text)};
  if (cancelled != nullptr && *cancelled == true) return {"cancelled", std::move(text)};
  return {"back_end_error", std::move(text)};
}

}  // namespace toolwire::bridge::runtimes
