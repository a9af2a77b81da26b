#include "protocol/capabilities.hpp"

#include "json/writer.hpp"

namespace toolwire::protocol {

std::string_view server_capabilities() { return R"({"tools":{"listChanged":true}})"; }

void append_instructions(std::string& out, const Service& service) {
  if (service.info.instructions.empty()) return;
  out.append(",\"instructions\":");
  json::write_string(out, service.info.instructions);
}

}  // namespace toolwire::protocol
