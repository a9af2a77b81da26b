#include "driver/http_server.hpp"

#include <algorithm>
#include <optional>

#include "driver/message.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::string_view encoded_prefix = "=?base64?", encoded_suffix = "?=";
constexpr int max_depth = 32;

std::string base64(std::string_view bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    unsigned three = 0;
    for (std::size_t i = 0; i < 3; ++i)
      three = three << 8U | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (unsigned i = 0; i < 4; ++i) text += at + i <= bytes.size() ? digits[three >> (18 - 6 * i) & 63U] : '=';
  }
  return text;
}

bool must_be_encoded(std::string_view text) {
  if (text.empty()) return false;
  const bool is_padded = text.front() == ' ' || text.front() == '\t' || text.back() == ' ' || text.back() == '\t';
  const bool is_marked = text.starts_with(encoded_prefix) && text.ends_with(encoded_suffix);
  return is_padded || is_marked ||
         std::ranges::any_of(text, [](unsigned char c) { return (c < 0x20 && c != '\t') || c > 0x7E; });
}

void find_mirrored(const Json& schema, std::vector<std::string>& path, std::vector<MirroredArgument>& found) {
  const JsonObject* properties = get(schema, "properties").if_object();
  if (properties == nullptr || path.size() > max_depth) return;
  for (const auto& [name, property] : *properties) {
    path.emplace_back(name);
    if (const std::string_view header = text_of(get(property, "x-mcp-header")); !header.empty())
      found.push_back({"Mcp-Param-" + std::string(header), path});
    find_mirrored(property, path, found);
    path.pop_back();
  }
}

std::optional<std::string> text_of_argument(const Json& value) {
  if (value.is_string()) return header_value(text_of(value));
  if (value.is_bool() || value.is_int64() || value.is_uint64() || value.is_double()) return to_json_text(value);
  return std::nullopt;
}

}  // namespace

std::vector<MirroredArgument> mirrored_arguments(const Json& input_schema) {
  std::vector<MirroredArgument> found;
  std::vector<std::string> path;
  find_mirrored(input_schema, path, found);
  return found;
}

std::string encoded_header_value(std::string_view text) {
  return std::string(encoded_prefix) + base64(text) + std::string(encoded_suffix);
}

std::string header_value(std::string_view text) {
  return must_be_encoded(text) ? encoded_header_value(text) : std::string(text);
}

const Json& mirrored_name(const Json& message) {
  const std::string_view method = text_of(get(message, "method"));
  if (method == "tools/call" || method == "prompts/get") return get(message, "params", "name");
  if (method == "resources/read") return get(message, "params", "uri");
  if (method == "tasks/get" || method == "tasks/update" || method == "tasks/cancel")
    return get(message, "params", "taskId");
  return get(Json(), "");
}

HttpServer::HttpServer(std::string url, HttpHeaders headers, HttpHeaders other_caller)
    : text_(std::move(url)),
      url_(read_http_url(text_)),
      addresses_(addresses_of(url_)),
      headers_(std::move(headers)),
      other_caller_(std::move(other_caller)) {}

bool HttpServer::find() {
  const auto open = first_open(addresses_);
  if (open) found_ = *open;
  return open.has_value();
}

HttpRequest HttpServer::bare(const Revision& revision, std::string method, std::string_view session) const {
  HttpRequest request{.method = std::move(method), .headers = headers_};
  request.set("Accept", request.method == "POST" ? "application/json, text/event-stream" : "text/event-stream");
  if (!session.empty()) request.set(session_header, std::string(session));
  // The header is as old as 2025-06-18.
  if (revision.name >= "2025-06-18") request.set(version_header, std::string(revision.name));
  return request;
}

HttpRequest HttpServer::post(const Revision& revision, std::string_view message, std::string_view session) const {
  HttpRequest request = bare(revision, "POST", session);
  request.set("Content-Type", "application/json");
  request.body = message;
  const Json json = read_message(message, true).json;
  const std::string_view method = text_of(get(json, "method"));
  if (method == "initialize") {
    request.remove(version_header);  // nothing is negotiated yet
    request.remove(session_header);
  }
  const Json& stated = get(json, "params", "_meta", version_in_meta);
  if (stated.is_string()) request.set(version_header, header_value(text_of(stated)));
  const bool is_modern = stated.is_string() || (revision.modern && method != "initialize");
  if (!is_modern || method.empty()) return request;
  request.remove(session_header);
  request.set(method_header, header_value(method));
  if (const Json& name = mirrored_name(json); name.is_string()) request.set(name_header, header_value(text_of(name)));
  if (method == "tools/call") add_mirrored_arguments(request, get(json, "params"));
  return request;
}

std::unique_ptr<HttpExchange> HttpServer::start(const HttpRequest& request, Recording& recording) const {
  HttpRequest shown = request;
  for (auto& header : shown.headers) {
    const bool is_private = std::ranges::find(headers_, header) != headers_.end() ||
                            std::ranges::find(other_caller_, header) != other_caller_.end();
    if (is_private) header.second = "…";
  }
  return std::make_unique<HttpExchange>(address(), bytes_of(url_, request), bytes_of(url_, shown), recording);
}

void HttpServer::add_mirrored_arguments(HttpRequest& request, const Json& params) const {
  const MutexLock lock(mutex_);
  const auto found = mirrored_.find(text_of(get(params, "name")));
  if (found == mirrored_.end()) return;
  for (const MirroredArgument& argument : found->second) {
    const Json* value = &get(params, "arguments");
    for (const std::string& name : argument.path) value = &get(*value, name);
    if (const auto text = text_of_argument(*value)) request.set(argument.header, *text);
  }
}

void HttpServer::learn(const Json& message) {
  const JsonArray* tools = get(message, "result", "tools").if_array();
  if (tools == nullptr) return;
  const MutexLock lock(mutex_);
  for (const Json& tool : *tools) {
    auto mirrored = mirrored_arguments(get(tool, "inputSchema"));
    if (!mirrored.empty()) mirrored_[std::string(text_of(get(tool, "name")))] = std::move(mirrored);
  }
}

}  // namespace toolwire::conformance
