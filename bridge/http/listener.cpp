// The only source that includes the HTTP library, which parses requests and writes answers. Connections, threads,
// deadlines and routing are done here, because the library applies its timeouts to each byte, keeps idle connections on
// threads, and matches paths with recursive regular expressions.
#include "http/listener.hpp"

#include <httplib.h>

#include <atomic>
#include <map>
#include <thread>
#include <utility>

#include "http/connection_pool.hpp"
#include "http_client/request_check.hpp"
#include "system/network_address.hpp"
#include "system/socket_stream.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge::http {
namespace {

Request neutral(const httplib::Request& request) {
  Request result{request.method, request.path, {}};
  for (const auto& [name, value] : request.headers) result.headers.emplace_back(lower(name), value);
  return result;
}

void write(const Answer& answer, httplib::Response& response) {
  response.status = answer.status;
  std::string type = "application/json";
  for (const auto& [name, value] : answer.headers) {
    if (name == "Content-Type") {
      type = value;
    } else {
      response.set_header(name, value);
    }
  }
  response.set_header("X-Content-Type-Options", "nosniff");
  if (answer.status != 304) response.set_content(answer.body, type);
}

/// Answers are whole: many small ranges would make a large one, and a part of JSON is not JSON. The library would cut
/// even its refusal of a Range header by what it had read of that header, so this is for the error handler too.
void without_ranges(httplib::Request& request) { request.ranges.clear(); }

/// Of the library's own refusals.
std::string_view reason_for(int status) {
  return status == 416 ? "expected a Range header such as bytes=0-99, or none" : "expected an HTTP/1.1 request";
}

class StreamOfSocket : public httplib::Stream {
 public:
  explicit StreamOfSocket(SocketStream& socket) : socket_(socket) {}
  bool is_readable() const override { return socket_.wait_readable(); }
  bool is_writable() const override { return socket_.wait_writable(); }
  ssize_t read(char* bytes, std::size_t size) override { return socket_.read(bytes, size); }
  ssize_t write(const char* bytes, std::size_t size) override { return socket_.write(bytes, size); }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return socket_.descriptor(); }

 private:
  SocketStream& socket_;
};

class PoolQueue : public httplib::TaskQueue {
 public:
  explicit PoolQueue(ConnectionPool& pool) : pool_(pool) {}
  void enqueue(std::function<void()> work) override { pool_.add(std::move(work)); }
  void shutdown() override { pool_.finish(); }

 private:
  ConnectionPool& pool_;
};

/// Which socket a request came from: the library hands out requests only.
class Origins {
 public:
  void add(const httplib::Request* request, int socket) {
    const MutexLock lock(mutex_);
    sockets_[request] = socket;
  }
  void remove(const httplib::Request* request) {
    const MutexLock lock(mutex_);
    sockets_.erase(request);
  }
  int of(const httplib::Request* request) {
    const MutexLock lock(mutex_);
    const auto found = sockets_.find(request);
    return found == sockets_.end() ? -1 : found->second;
  }

 private:
  Mutex mutex_;
  std::map<const httplib::Request*, int> sockets_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace

class Listener::Server : public httplib::Server {
 public:
  Server(ListenerOptions options, BeforeBody before_body, WithBody with_body)
      : options_(options),
        before_body_(std::move(before_body)),
        with_body_(std::move(with_body)),
        pool_(options.max_connections) {
    new_task_queue = [this] { return new PoolQueue(pool_); };  // the library deletes it
    set_payload_max_length(options_.max_body);
    set_socket_options(&let_address_be_reused);
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      return answer_before_body(request, response);
    });
    set_exception_handler([](const httplib::Request&, httplib::Response& response, const std::exception_ptr&) {
      write(error_answer(500, "the request could not be answered"), response);
    });
    set_error_handler([](const httplib::Request& request, httplib::Response& response) {
      without_ranges(const_cast<httplib::Request&>(request));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
      if (response.body.empty()) write(error_answer(response.status, reason_for(response.status)), response);
    });
    Post("/.*", [this](const httplib::Request& request, httplib::Response& response,
                       const httplib::ContentReader& reader) { answer_with_body(request, response, reader); });
  }

  void serve() {
    {
      const MutexLock lock(beginning_);
      if (ending_) return;
      begun_ = true;
    }
    listen_after_bind();
    has_served_ = true;
  }

  /// The library forgets a `stop` that comes before it has begun to listen.
  void end() {
    bool begun = false;
    {
      const MutexLock lock(beginning_);
      ending_ = true;
      begun = begun_;
    }
    pool_.hurry();
    while (begun && !is_running() && !has_served_) std::this_thread::yield();
    stop();
  }

 private:
  bool process_and_close_socket(socket_t socket) override {
    SocketStream bytes(socket);
    const auto time = ending_ ? std::chrono::milliseconds(0) : options_.request_time;
    bytes.read_until(SocketStream::Clock::now() + time);
    bytes.write_within(options_.answer_time);
    StreamOfSocket stream(bytes);
    const httplib::Request* in_hand = nullptr;
    bool closed = false;
    const bool good = process_request(stream, true, closed, [&](httplib::Request& request) {
      without_ranges(request);
      request.headers.erase("Accept-Encoding");
      in_hand = &request;
      origins_.add(in_hand, bytes.descriptor());
    });
    if (in_hand != nullptr) origins_.remove(in_hand);
    return good;
  }

  HandlerResponse answer_before_body(const httplib::Request& request, httplib::Response& response) {
    const auto answer = before_body_(neutral(request));
    if (!answer) return HandlerResponse::Unhandled;
    write(*answer, response);
    return HandlerResponse::Handled;
  }

  void answer_with_body(const httplib::Request& request, httplib::Response& response,
                        const httplib::ContentReader& reader) {
    std::string body;
    bool too_long = false;
    const bool complete = reader([&](const char* bytes, std::size_t size) {
      too_long = size > options_.max_body - body.size();
      if (!too_long) body.append(bytes, size);
      return !too_long;
    });
    if (too_long) return write(error_answer(413, "the body is too long"), response);
    if (!complete)
      return write(error_answer(response.status == 413 ? 413 : 408, "the body is too long or incomplete"), response);
    write(with_body_(neutral(request), std::move(body), origins_.of(&request)), response);
  }

  const ListenerOptions options_;
  const BeforeBody before_body_;
  const WithBody with_body_;
  ConnectionPool pool_;
  Origins origins_;
  std::atomic<bool> ending_ = false;
  Mutex beginning_;
  bool begun_ TOOLWIRE_GUARDED_BY(beginning_) = false;
  std::atomic<bool> has_served_ = false;
};

Listener::Listener(ListenerOptions options, BeforeBody before_body, WithBody with_body)
    : server_(std::make_unique<Server>(options, std::move(before_body), std::move(with_body))) {}

Listener::~Listener() = default;

std::optional<int> Listener::listen(const std::string& host, int port) {
  if (port == 0) {
    const int chosen = server_->bind_to_any_port(host);
    return chosen > 0 ? std::optional(chosen) : std::nullopt;
  }
  return server_->bind_to_port(host, port) ? std::optional(port) : std::nullopt;
}

void Listener::run() { server_->serve(); }
void Listener::stop() { server_->end(); }

}  // namespace toolwire::bridge::http
