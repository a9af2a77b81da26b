// MCP over HTTP behind cpp-httplib, which gives each connection a thread for as long as its answer lasts.
#include <httplib.h>

#include <cstdio>
#include <toolwire/http/handler.hpp>
#include <toolwire/http/waiting_exchange.hpp>

#include "example_server.hpp"

namespace http = toolwire::http;

// The adapter.

void serve(const httplib::Request& in, httplib::Response& out, http::Handler& handler) {
  http::Request request{.method = in.method, .target = in.target, .body = in.body};
  for (const auto& [name, value] : in.headers) request.fields.push_back({name, value});
  const auto exchange = std::make_shared<http::WaitingExchange>();
  handler.handle(std::move(request), exchange);
  const http::Head head = exchange->head();
  out.status = head.status;
  std::string type = "application/json";
  for (const auto& field : head.fields) {
    field.name == "Content-Type" ? void(type = field.value) : out.set_header(field.name, field.value);
  }
  if (head.length == 0) return;
  const auto send_more = [exchange](std::size_t, httplib::DataSink& sink) {
    const auto bytes = exchange->next(std::chrono::milliseconds(100));
    if (!bytes) return sink.done(), true;
    return bytes->empty() ? sink.is_writable() : sink.write(bytes->data(), bytes->size());
  };
  const auto ended = [exchange](bool) { exchange->closed(); };
  out.set_chunked_content_provider(type, send_more, ended);
}

// The program: `http_cpp_httplib [PORT]`, which says on which port it is.

int main(int argc, char** argv) {
  toolwire::Server server({"cpp_httplib", "1.0.0"});
  add_tools(server);
  http::Handler handler(server);
  httplib::Server listening;
  const auto to_handler = [&](const httplib::Request& in, httplib::Response& out) { serve(in, out, handler); };
  listening.Post("/mcp", to_handler).Get("/mcp", to_handler).Delete("/mcp", to_handler);
  int port = argc > 1 ? std::stoi(argv[1]) : 0;
  if (port == 0)
    port = listening.bind_to_any_port("127.0.0.1");
  else if (!listening.bind_to_port("127.0.0.1", port))
    port = -1;
  if (port < 0) return std::fputs("cannot listen\n", stderr), 1;
  std::printf("http://127.0.0.1:%d/mcp\n", port);
  std::fflush(stdout);
  return listening.listen_after_bind() ? 0 : 1;
}
