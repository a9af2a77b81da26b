#include "http/published.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace toolwire::bridge::http {
namespace {

constexpr std::string_view list_path = "/api/v1/tools";

/// Tells one version of a text from another; not a defence against forgery (FNV-1a).
std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

Body body_of(const Json& document) {
  Body body{to_json_text(document) + '\n', {}};
  body.tag = fmt::format("\"{:016x}-{:x}\"", fingerprint(body.text), body.text.size());
  return body;
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// RFC 9110 §13.1.2: a list of tags, compared weakly, or "*".
bool is_named(std::string_view list, std::string_view tag) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    std::string_view candidate = trimmed(list.substr(0, comma));
    if (candidate.starts_with("W/")) candidate.remove_prefix(2);
    if (candidate == tag || candidate == "*") return true;
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  }
  return false;
}

Answer deliver(const Request& request, const Body& body, Caches caches) {
  const char* const kept = caches == Caches::shared ? "public, max-age=60" : "private, max-age=60";
  Answer answer{200, {{"Cache-Control", kept}, {"ETag", body.tag}}, body.text};
  const auto known = request.header("if-none-match");
  if (known && is_named(*known, body.tag)) {
    answer.status = 304;
    answer.body.clear();
  }
  return answer;
}

Answer only(std::string_view methods) {
  Answer answer = error_answer(405, fmt::format("expected {}", methods));
  answer.headers.emplace_back("Allow", methods);
  return answer;
}

}  // namespace

Published::Published(const Manifest& manifest) : whole_(body_of(to_json(manifest))) {
  for (const ToolDefinition& tool : manifest.tools) tools_.emplace(tool.name, body_of(to_json(tool)));
}

const Body* Published::tool(std::string_view name) const {
  const auto found = tools_.find(name);
  return found == tools_.end() ? nullptr : &found->second;
}

bool is_execution(const Request& request) { return request.method == "POST" && request.path == execute_path; }

Answer answer_discovery(const Request& request, const Published* published, Caches caches) {
  const bool reads = request.method == "GET" || request.method == "HEAD";
  std::string_view path = request.path;
  if (path != list_path && !path.starts_with("/api/v1/tools/")) {
    return error_answer(404, "expected /api/v1/tools, /api/v1/tools/{name} or /api/v1/tools/execute");
  }
  if (!reads) return only(path == execute_path ? "GET, HEAD, POST" : "GET, HEAD");
  const std::string_view name = path == list_path ? "" : path.substr(list_path.size() + 1);
  if (path != list_path && name.empty()) return error_answer(400, "tool name is empty");
  if (published == nullptr) return error_answer(503, "scenario is unavailable");
  if (path == list_path) return deliver(request, published->whole(), caches);
  if (const Body* const tool = published->tool(name)) return deliver(request, *tool, caches);
  return error_answer(404, fmt::format("tool not found: {}", name));
}

}  // namespace toolwire::bridge::http
