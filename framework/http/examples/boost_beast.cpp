// MCP over HTTP behind Boost.Beast and Asio: one thread for all connections, one request on each. What the handler
// writes on other threads is posted to it.
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <cstdio>
#include <deque>
#include <toolwire/http/handler.hpp>

#include "example_server.hpp"

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = toolwire::http;
using asio::ip::tcp;

// The adapter.

struct Connection final : http::Exchange, std::enable_shared_from_this<Connection> {
  explicit Connection(tcp::socket socket) : socket_(std::move(socket)) {}
  void read(http::Handler& handler) {
    beast::http::async_read(socket_, buffer_, in_, [self = shared_from_this(), &handler](auto error, std::size_t) {
      if (!error) self->handle(handler);
    });
  }
  void start(const http::Head& head) override {
    std::string text = "HTTP/1.1 " + std::to_string(head.status) + " \r\nConnection: close\r\n";
    for (const auto& field : head.fields) text += field.name + ": " + field.value + "\r\n";
    if (head.length) text += "Content-Length: " + std::to_string(*head.length) + "\r\n";
    write(text + "\r\n");
  }
  void write(std::string_view bytes) override { add(std::string(bytes)); }
  void finish() override { add({}); }

  void handle(http::Handler& handler) {
    http::Request request{.method = in_.method_string(), .target = in_.target(), .body = std::move(in_.body())};
    for (const auto& field : in_) request.fields.push_back({field.name_string(), field.value()});
    socket_.async_wait(tcp::socket::wait_read, [self = shared_from_this()](auto) { self->closed(); });
    handler.handle(std::move(request), shared_from_this());
  }
  void add(std::string text) {
    asio::post(socket_.get_executor(), [self = shared_from_this(), text = std::move(text)] {
      self->out_.push_back(text);
      if (self->out_.size() == 1) self->send();
    });
  }
  void send() {  // an empty text is the end
    if (out_.front().empty()) return socket_.close();
    asio::async_write(socket_, asio::buffer(out_.front()), [self = shared_from_this()](auto error, std::size_t) {
      self->out_.pop_front();
      if (!error && !self->out_.empty()) self->send();
    });
  }

  tcp::socket socket_;
  beast::flat_buffer buffer_;
  beast::http::request<beast::http::string_body> in_;
  std::deque<std::string> out_;
};

// The program: `http_boost_beast [PORT]`, which says on which port it is.

void accept(tcp::acceptor& listening, http::Handler& handler) {
  listening.async_accept([&](auto error, tcp::socket socket) {
    if (!error) std::make_shared<Connection>(std::move(socket))->read(handler);
    accept(listening, handler);
  });
}

int main(int argc, char** argv) {
  asio::io_context loop(1);
  toolwire::Server server({"boost_beast", "1.0.0"});
  add_tools(server);
  http::Handler handler(server);
  const auto port = static_cast<std::uint16_t>(argc > 1 ? std::stoi(argv[1]) : 0);
  tcp::acceptor listening(loop, {asio::ip::address_v4::loopback(), port});
  std::printf("http://127.0.0.1:%d/mcp\n", listening.local_endpoint().port());
  std::fflush(stdout);
  accept(listening, handler);
  loop.run();
}
