#include "protocol/exchange.hpp"

#include <new>
#include <string_view>

#include "json/writer.hpp"

namespace toolwire::protocol {
namespace {

const JsonObject none;

void append_members(std::string& out, const JsonObject& members, std::string_view separator) {
  for (const auto& [key, value] : members) {
    out.append(separator);
    separator = ",";
    json::write_string(out, key);
    out.push_back(':');
    json::write(out, value);
  }
}

}  // namespace

const JsonObject& Exchange::meta() const {
  return meta_member != nullptr && meta_member->is_object() ? meta_member->get_object() : none;
}

const JsonObject& Exchange::client_capabilities() const {
  if (revision == nullptr || !revision->modern) return client->legacy->capabilities;
  return meta().at(meta_key::client_capabilities).get_object();
}

const JsonObject& Exchange::client_info() const {
  if (revision == nullptr || !revision->modern) return client->legacy->info;
  const Json* info = meta().if_contains(meta_key::client_info);
  return info != nullptr && info->is_object() ? info->get_object() : none;
}

void Exchange::fail(const ProtocolError& error) const { protocol::fail(*call, error); }

void Exchange::close_result(std::string& out, bool has_members, const JsonObject& meta) const {
  const std::string_view separator = has_members ? "," : "";
  if (revision != nullptr && revision->modern) {
    out.append(separator).append("\"resultType\":\"complete\",").append(connection->service.result_meta_text());
    append_members(out, meta, ",");
    out.push_back('}');
  } else if (!meta.empty()) {
    out.append(separator).append("\"_meta\":{");
    append_members(out, meta, "");
    out.push_back('}');
  }
  out.push_back('}');
}

void fail_without_memory(runtime::Call& call) {
  call.fail(error_code::internal_error, "Internal error: there is not enough memory for this request");
}

void fail(runtime::Call& call, const ProtocolError& error) {
  std::string data;
  try {
    if (!error.data.is_null()) data = to_json_text(error.data);
  } catch (const std::bad_alloc&) {
    return fail_without_memory(call);
  }
  call.fail(error.code, error.what(), data);
}

}  // namespace toolwire::protocol
