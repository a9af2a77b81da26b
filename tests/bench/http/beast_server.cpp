#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <memory>
#include <string>
#include <utility>

#include "servers.hpp"

namespace toolwire::bench {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;

constexpr std::uint64_t max_body = std::uint64_t{4} << 20;

/// Requests one after the other.
class Session : public std::enable_shared_from_this<Session> {
 public:
  explicit Session(tcp::socket socket) : socket_(std::move(socket)) { socket_.set_option(tcp::no_delay(true)); }

  void read() {
    parser_ = std::make_unique<http::request_parser<http::string_body>>();
    parser_->body_limit(max_body);
    http::async_read(socket_, buffer_, *parser_, [self = shared_from_this()](auto error, std::size_t) {
      if (!error) self->answer();
    });
  }

 private:
  void answer() {
    const auto& request = parser_->get();
    const std::string_view body = constant_answer(request.body().size());
    answer_ = {http::status::ok, request.version()};
    answer_.set(http::field::content_type, "application/json");
    answer_.body().assign(body);
    answer_.keep_alive(request.keep_alive());
    answer_.prepare_payload();
    http::async_write(socket_, answer_, [self = shared_from_this()](auto error, std::size_t) {
      if (!error) self->read();
    });
  }

  tcp::socket socket_;
  boost::beast::flat_buffer buffer_;
  std::unique_ptr<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> answer_;
};

void accept(tcp::acceptor& acceptor) {
  acceptor.async_accept([&acceptor](auto error, tcp::socket socket) {
    if (!error) std::make_shared<Session>(std::move(socket))->read();
    accept(acceptor);
  });
}

}  // namespace

void serve_beast(int told) {
  asio::io_context context(1);
  tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
  tell_port(told, acceptor.local_endpoint().port());
  accept(acceptor);
  context.run();
}

}  // namespace toolwire::bench
