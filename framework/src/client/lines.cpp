#include "client/lines.hpp"

#include <cstddef>
#include <utility>

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

void append_meta(std::string& line, const JsonObject& own, const RequestMeta& meta) {
  const bool has_token = meta.progress_token.has_value();
  char before = '{';
  const auto name = [&](std::string_view key) {
    line += std::exchange(before, ',');
    json::write_string(line, key);
    line += ':';
  };
  for (const auto& [key, value] : own) {
    if (has_token && key == "progressToken") continue;
    if (!meta.log_level.empty() && key == protocol::meta_key::log_level) continue;
    name(key);
    json::write(line, value);
  }
  if (has_token) {
    name("progressToken");
    json::write_integer(line, *meta.progress_token);
  }
  if (!meta.log_level.empty()) {
    name(protocol::meta_key::log_level);
    json::write_string(line, meta.log_level);
  }
  if (own.empty() && !meta.common.all.empty()) {
    line += std::exchange(before, ',');
    line += meta.common.all;
  } else {
    for (const MetaText::Member& member : meta.common.members) {
      if (own.contains(member.key)) continue;
      name(member.key);
      line += member.text;
    }
  }
  line += before == '{' ? "{}" : "}";
}

void append_params(std::string& line, const JsonObject& params, const RequestMeta& meta) {
  static const JsonObject none;
  const Json* given = params.if_contains("_meta");
  const JsonObject* own = !meta.own.empty() ? &meta.own : given == nullptr ? &none : given->if_object();
  const bool adds = !meta.common.all.empty() || meta.progress_token || !meta.log_level.empty() || !meta.own.empty();
  if (params.empty() && !adds) return;
  line += R"(,"params":)";
  char before = '{';
  for (const auto& [key, value] : params) {
    if (adds && key == "_meta") continue;
    line += std::exchange(before, ',');
    json::write_string(line, key);
    line += ':';
    json::write(line, value);
  }
  if (adds) {
    line += before;
    line += R"("_meta":)";
    append_meta(line, own == nullptr ? none : *own, meta);
  }
  line += '}';
}

}  // namespace

/// Is put together without a writer: a third fewer instructions for a call.
std::string request_line(std::int64_t id, std::string_view method, const JsonObject& params, const RequestMeta& meta) {
  std::string line;
  line.reserve(usual_length);
  line += R"({"jsonrpc":"2.0","id":)";
  json::write_integer(line, id);
  line += R"(,"method":)";
  json::write_string(line, method);
  append_params(line, params, meta);
  line += "}\n";
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
