#include "protocol/prompts/prompt_result.hpp"

#include "json/writer.hpp"
#include "protocol/content.hpp"

namespace toolwire::protocol {
namespace {

void append_messages(std::string& out, const Revision& revision, const PromptResult& result) {
  out.append("\"messages\":");
  json::Writer writer(out);
  writer.begin_array();
  for (const PromptMessage& message : result.messages) {
    writer.begin_object();
    writer.key("role").string(message.role == Role::user ? "user" : "assistant");
    writer.key("content");
    append_content(writer, revision, message.content);
    writer.end_object();
  }
  writer.end_array();
}

void append_members(std::string& out, const JsonObject& members, std::string_view separator) {
  for (const auto& [key, value] : members) {
    out.append(separator);
    separator = ",";
    json::write_string(out, key);
    out.push_back(':');
    json::write(out, value);
  }
}

void append_meta(std::string& out, const Exchange& exchange, const JsonObject& meta) {
  if (exchange.revision->modern) {
    out.append(",\"resultType\":\"complete\",").append(exchange.connection->service.result_meta_text());
    append_members(out, meta, ",");
    out.push_back('}');
  } else if (!meta.empty()) {
    out.append(",\"_meta\":{");
    append_members(out, meta, "");
    out.push_back('}');
  }
}

}  // namespace

void answer_with_messages(const Exchange& exchange, const PromptInfo& info, const PromptResult& result) {
  const std::string& description = result.description.empty() ? info.description : result.description;
  exchange.call->answer([&](std::string& out) {
    out.push_back('{');
    if (!description.empty()) {
      out.append("\"description\":");
      json::write_string(out, description);
      out.push_back(',');
    }
    append_messages(out, *exchange.revision, result);
    append_meta(out, exchange, result.meta);
    out.push_back('}');
  });
}

}  // namespace toolwire::protocol
