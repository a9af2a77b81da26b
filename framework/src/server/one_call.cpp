#include "server/one_call.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>

#include <toolwire/json_members.hpp>

#include "protocol/revision.hpp"
#include "protocol/tasks/task_requests.hpp"
#include "toolwire/error.hpp"
#include "toolwire/task_store.hpp"

namespace toolwire::server {
namespace {

constexpr std::chrono::milliseconds between_looks{100};  // at a task of this process

std::string request_line(std::string_view method, JsonObject params, const JsonObject& capabilities) {
  params["_meta"] =
      JsonObject{{protocol::meta_key::protocol_version, protocol::modern_names().back()},
                 {protocol::meta_key::client_info, JsonObject{{"name", "command line"}, {"version", "1"}}},
                 {protocol::meta_key::client_capabilities, capabilities}};
  return to_json_text(JsonObject{{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", std::move(params)}}) +
         "\n";
}

const JsonObject& with_tasks() {
  static const JsonObject capabilities{{"extensions", JsonObject{{protocol::tasks_extension, JsonObject{}}}}};
  return capabilities;
}

/// Whether the tool has not run because it can be called as a task only.
bool needs_tasks(const Json& response) {
  const Json* place = &response;
  for (const std::string_view name : {"error", "data", "requiredCapabilities", "extensions"}) {
    place = find_member(*place, name);
    if (place == nullptr) return false;
  }
  return find_member(*place, protocol::tasks_extension) != nullptr;
}

/// What a call as a task has come to, as if it had been answered with that; null while it goes on.
Json end_of_task(const Json& task) {
  const std::string status = text_or(task, "status");
  if (status == name_of(TaskStatus::working)) return nullptr;
  for (const char* const end : {"result", "error"})
    if (const Json* const value = find_member(task, end)) return JsonObject{{end, *value}};
  return JsonObject{{"error", JsonObject{{"code", error_code::internal_error},
                                         {"message", "the call ended without a result: " + status}}}};
}

bool is_true(const Json* value) { return value != nullptr && value->is_bool() && value->get_bool(); }

void append_line(std::string& text, std::string_view line) {
  text.append(line);
  if (!line.ends_with('\n')) text += '\n';
}

std::optional<std::string_view> text_in(const Json& block) {
  const Json* const type = find_member(block, "type");
  const Json* const text = find_member(block, "text");
  if (type == nullptr || *type != "text" || text == nullptr || !text->is_string()) return std::nullopt;
  return std::string_view(text->get_string());
}

/// What the structured content of a value that is no object holds.
const Json& value_in(const Json& structured) {
  const JsonObject* const object = structured.if_object();
  const Json* const value = object != nullptr && object->size() == 1 ? object->if_contains("result") : nullptr;
  return value != nullptr ? *value : structured;
}

bool says(const Json& block, const Json& structured) {
  const auto text = text_in(block);
  const Json& value = value_in(structured);
  if (!text) return false;
  if (value.is_string() && std::string_view(value.get_string()) == *text) return true;
  try {
    const Json said = parse_json(*text);
    return said == structured || said == value;
  } catch (const JsonError&) {
    return false;
  }
}

std::string content_text(const Json& result) {
  std::string text;
  const Json* const content = find_member(result, "content");
  const JsonArray blocks = content != nullptr && content->is_array() ? content->get_array() : JsonArray{};
  for (const Json& block : blocks) append_line(text, text_in(block).value_or(to_json_text(block)));
  const Json* const structured = find_member(result, "structuredContent");
  const auto says_it = [structured](const Json& block) { return says(block, *structured); };
  if (structured != nullptr && std::ranges::none_of(blocks, says_it)) append_line(text, to_json_text(*structured));
  return text;
}

CallReport error_report(const Json& error, bool as_json) {
  if (as_json) return {1, {}, to_json_text(error) + "\n"};
  const Json* const message = find_member(error, "message");
  const Json* const code = find_member(error, "code");
  std::string text = "error " + (code == nullptr ? "" : to_json_text(*code)) + ": ";
  text += message != nullptr && message->is_string() ? std::string(message->get_string()) : to_json_text(error);
  if (const Json* data = find_member(error, "data"); data != nullptr && !data->is_null())
    text += " " + to_json_text(*data);
  return {1, {}, text + "\n"};
}

}  // namespace

CallReport report_of(const Json& response, bool as_json) {
  if (const Json* error = find_member(response, "error")) return error_report(*error, as_json);
  const Json* const result = find_member(response, "result");
  if (result == nullptr) return {1, {}, "the server ended without an answer\n"};
  const bool is_error = is_true(find_member(*result, "isError"));
  if (as_json) return {is_error ? 1 : 0, to_json_text(*result) + "\n", {}};
  return is_error ? CallReport{1, {}, content_text(*result)} : CallReport{0, content_text(*result), {}};
}

OneCall::OneCall(std::function<void(Transport&)> serve) {
  std::tie(client_, server_) = memory_transports();
  session_ = std::thread([this, serve = std::move(serve)] {
    serve(*server_);
    server_.reset();  // ends the input, so that whoever waits for an answer stops waiting
  });
}

OneCall::~OneCall() {
  client_.reset();
  session_.join();
}

CallReport OneCall::call(const std::string& tool, const Json& arguments, bool as_json) {
  const JsonObject params{{"name", tool}, {"arguments", arguments}};
  Json answer = answer_to("tools/call", params, {});
  if (needs_tasks(answer)) answer = followed(answer_to("tools/call", params, with_tasks()));
  return report_of(answer, as_json);
}

/// Null if the session ended.
Json OneCall::answer_to(std::string_view method, const JsonObject& params, const JsonObject& capabilities) {
  const std::string line = request_line(method, params, capabilities);
  client_->write(line.data(), line.size(), Transport::Blocking::yes);
  return response();
}

/// The end of the call that `begun` has promised.
Json OneCall::followed(Json begun) {
  const Json* const task = find_member(begun, "result");
  const std::string id = task != nullptr ? text_or(*task, "taskId") : std::string();
  if (id.empty()) return begun;
  for (;;) {
    Json now = answer_to("tasks/get", {{"taskId", id}}, with_tasks());
    const Json* const result = find_member(now, "result");
    if (result == nullptr) return now;
    if (Json end = end_of_task(*result); !end.is_null()) return end;
    std::this_thread::sleep_for(between_looks);
  }
}

/// Passes over notifications. Null if the session ended.
Json OneCall::response() {
  for (std::string line = next_line(); !line.empty(); line = next_line()) {
    Json message = parse_json(line);
    if (find_member(message, "id") != nullptr && find_member(message, "method") == nullptr) return message;
  }
  return {};
}

/// Empty at the end.
std::string OneCall::next_line() {
  std::size_t end = received_.find('\n');
  for (std::array<char, 65536> bytes{}; end == std::string::npos;) {
    const std::ptrdiff_t count = client_->read(bytes.data(), bytes.size());
    if (count <= Transport::end_of_input) return {};
    const std::string_view added(bytes.data(), static_cast<std::size_t>(count));
    const std::size_t found = added.find('\n');
    if (found != std::string_view::npos) end = received_.size() + found;
    received_.append(added);
  }
  std::string line = received_.substr(0, end);
  received_.erase(0, end + 1);
  return line;
}

}  // namespace toolwire::server
