#include "client/lines.hpp"

#include <cstddef>

#include "json/writer.hpp"

namespace toolwire::client {
namespace {

json::Writer begin(std::string& line) {
  json::Writer writer{line};
  writer.begin_object();
  writer.plain_key("jsonrpc").raw("\"2.0\"");
  return writer;
}

void end(json::Writer& writer, std::string& line) {
  writer.end_object();
  line += '\n';
}

constexpr std::size_t usual_length = 512;

void write_meta(json::Writer& writer, const JsonObject& own, const RequestMeta& meta) {
  const bool has_token = meta.progress_token.has_value();
  writer.begin_object();
  for (const auto& [key, value] : own) {
    if (has_token && key == "progressToken") continue;
    if (!meta.log_level.empty() && key == protocol::meta_key::log_level) continue;
    writer.key(key).value(value);
  }
  if (has_token) writer.plain_key("progressToken").integer(*meta.progress_token);
  if (!meta.log_level.empty()) writer.key(protocol::meta_key::log_level).string(meta.log_level);
  for (const MetaMember& member : meta.common) {
    if (own.empty() || !own.contains(member.key)) writer.plain_key(member.key).raw(member.text);
  }
  writer.end_object();
}

void write_params(json::Writer& writer, const JsonObject& params, const RequestMeta& meta) {
  static const JsonObject none;
  const Json* given = params.if_contains("_meta");
  const JsonObject* own = !meta.own.empty() ? &meta.own : given == nullptr ? &none : given->if_object();
  const bool adds = !meta.common.empty() || meta.progress_token || !meta.log_level.empty() || !meta.own.empty();
  if (params.empty() && !adds) return;
  writer.plain_key("params").begin_object();
  for (const auto& [key, value] : params) {
    if (!adds || key != "_meta") writer.key(key).value(value);
  }
  if (adds) write_meta(writer.plain_key("_meta"), own == nullptr ? none : *own, meta);
  writer.end_object();
}

}  // namespace

std::string request_line(std::int64_t id, std::string_view method, const JsonObject& params, const RequestMeta& meta) {
  std::string line;
  line.reserve(usual_length);
  json::Writer writer = begin(line);
  writer.plain_key("id").integer(id);
  writer.plain_key("method").string(method);
  write_params(writer, params, meta);
  end(writer, line);
  return line;
}

std::string notification_line(std::string_view method, const JsonObject& params) {
  std::string line;
  json::Writer writer = begin(line);
  writer.key("method").string(method);
  if (!params.empty()) writer.key("params").value(params);
  end(writer, line);
  return line;
}

std::string result_line(std::string_view id_text, const Json& result) {
  std::string line;
  json::Writer writer = begin(line);
  writer.key("id").raw(id_text);
  writer.key("result").value(result);
  end(writer, line);
  return line;
}

std::string error_line(std::string_view id_text, int code, std::string_view message, const Json& data) {
  std::string line;
  json::Writer writer = begin(line);
  writer.key("id").raw(id_text);
  writer.key("error").begin_object();
  writer.key("code").integer(std::int64_t{code});
  writer.key("message").string(message);
  if (!data.is_null()) writer.key("data").value(data);
  writer.end_object();
  end(writer, line);
  return line;
}

}  // namespace toolwire::client
