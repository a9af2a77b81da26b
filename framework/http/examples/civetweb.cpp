// MCP over HTTP behind civetweb, which gives each connection a thread for as long as its answer lasts.
#include <civetweb.h>

#include <cstdio>
#include <toolwire/http/handler.hpp>
#include <toolwire/http/waiting_exchange.hpp>

#include "example_server.hpp"

namespace http = toolwire::http;

// The adapter.

http::Request read(mg_connection* connection) {
  const mg_request_info& in = *mg_get_request_info(connection);
  http::Request request{.method = in.request_method, .target = in.local_uri};
  for (int i = 0; i < in.num_headers; ++i)
    request.fields.push_back({in.http_headers[i].name, in.http_headers[i].value});
  char bytes[16'384];
  for (int count = 0; (count = mg_read(connection, bytes, sizeof bytes)) > 0;)
    request.body.append(bytes, static_cast<std::size_t>(count));
  return request;
}

int serve(mg_connection* connection, void* handler) {
  const auto exchange = std::make_shared<http::WaitingExchange>();
  static_cast<http::Handler*>(handler)->handle(read(connection), exchange);
  const http::Head head = exchange->head();
  mg_response_header_start(connection, head.status);
  for (const auto& field : head.fields)
    mg_response_header_add(connection, field.name.c_str(), field.value.c_str(), static_cast<int>(field.value.size()));
  const std::string length = std::to_string(head.length.value_or(0));
  head.length ? mg_response_header_add(connection, "Content-Length", length.c_str(), -1)
              : mg_response_header_add(connection, "Transfer-Encoding", "chunked", -1);
  mg_response_header_send(connection);
  while (const auto bytes = exchange->next(std::chrono::milliseconds(100))) {
    const auto size = static_cast<unsigned>(bytes->size());
    const int sent = head.length ? mg_write(connection, bytes->data(), size)
                                 : (size > 0 ? mg_send_chunk(connection, bytes->data(), size) : 0);
    if (size > 0 && sent <= 0) return exchange->closed(), head.status;
  }
  if (!head.length) mg_send_chunk(connection, "", 0);
  return head.status;
}

// The program: `http_civetweb [PORT]`, which says on which port it is.

int main(int argc, char** argv) {
  toolwire::Server server({"civetweb", "1.0.0"});
  add_tools(server);
  http::Handler handler(server);
  const std::string place = std::string("127.0.0.1:") + (argc > 1 ? argv[1] : "0");
  const char* options[] = {"listening_ports", place.c_str(), "enable_auth_domain_check", "no", nullptr};
  mg_context* const listening = mg_start(nullptr, nullptr, options);
  mg_server_port port{};
  if (listening == nullptr || mg_get_server_ports(listening, 1, &port) != 1)
    return std::fputs("cannot listen\n", stderr), 1;
  mg_set_request_handler(listening, "/mcp", serve, &handler);
  std::printf("http://127.0.0.1:%d/mcp\n", port.port);
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  mg_stop(listening);
}
