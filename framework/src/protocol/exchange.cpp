#include "protocol/exchange.hpp"

namespace toolwire::protocol {

const JsonObject& Exchange::client_capabilities() const {
  if (revision == nullptr || !revision->modern) return *legacy_capabilities;
  return arguments().at("_meta").get_object().at(meta_key::client_capabilities).get_object();
}

void Exchange::fail(const ProtocolError& error) const { protocol::fail(*call, error); }

void Exchange::close_result(std::string& out, bool has_members) const {
  if (revision != nullptr && revision->modern) {
    out.append(has_members ? "," : "").append("\"resultType\":\"complete\",");
    out.append(connection->service.result_meta_text()).push_back('}');
  }
  out.push_back('}');
}

void fail(runtime::Call& call, const ProtocolError& error) {
  call.fail(error.code, error.what(), error.data.is_null() ? std::string() : to_json_text(error.data));
}

}  // namespace toolwire::protocol
