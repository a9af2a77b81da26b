#include "protocol/input_requests/open_pages.hpp"

#include "json/writer.hpp"
#include "protocol/connection.hpp"

namespace toolwire::protocol {

bool complete_elicitation(Service& service, std::string_view id) {
  auto connection = service.open_pages.take(id);
  if (!connection) return false;
  std::string line = R"({"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":)";
  json::write_string(line, id);
  connection->output.append(line.append("}}"));
  connection->flush_from_outside();
  return true;
}

}  // namespace toolwire::protocol
