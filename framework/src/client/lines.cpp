#include "client/lines.hpp"

#include "json/writer.hpp"

namespace toolwire::client {
namespace {

json::Writer begin(std::string& line) {
  json::Writer writer{line};
  writer.begin_object();
  writer.key("jsonrpc").string("2.0");
  return writer;
}

void end(json::Writer& writer, std::string& line) {
  writer.end_object();
  line += '\n';
}

}  // namespace

std::string request_line(std::int64_t id, std::string_view method, const JsonObject& params) {
  std::string line;
  json::Writer writer = begin(line);
  writer.key("id").integer(id);
  writer.key("method").string(method);
  if (!params.empty()) writer.key("params").value(params);
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
