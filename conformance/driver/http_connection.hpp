// A session over Streamable HTTP: each message is a POST of its own, and what comes back on its reply, on a stream of
// events or on the stream of a GET is what the server says. It keeps the session's id and resumes streams that end
// early, as a client does. Of a message it knows only what its headers and the pairing of replies need.
#pragma once

#include <deque>
#include <list>
#include <map>
#include <memory>
#include <set>

#include "driver/connection.hpp"
#include "driver/http_server.hpp"

namespace toolwire::conformance {

class HttpConnection : public Connection {
 public:
  HttpConnection(std::shared_ptr<HttpServer> server, const Revision& revision, Line on_line);
  /// Ends the session with a DELETE, if there is one.
  ~HttpConnection() override;

  void write(std::string_view bytes) override;
  bool output_ended() const override { return is_gone_ || closed_; }
  bool end_expected() const override { return closed_; }
  void close_output() override;
  std::size_t output_size() const override { return output_size_; }
  std::optional<std::string> refusal_of(const std::string& id) const override;

  /// What the server called the session; "" if nothing.
  const std::string& session_id() const { return session_id_; }

 private:
  /// `other`: notifications and responses; `resuming`: a request whose stream ended early.
  enum class Kind { request, other, listening, resuming };
  struct Exchange {
    Kind kind;
    std::unique_ptr<HttpExchange> http;
    std::set<std::string> ids = {};  // of requests without a response
    bool opens = false;              // the session begins with its reply
    bool shows_body = false;         // what it has may be a message; else the status says all
    bool awaited = false;            // nothing is sent before its headers are there
    std::size_t events = 0, received = 0;
    Clock::time_point begin = Clock::now();
  };
  /// A stream that is to be taken up again.
  struct Resumption {
    Kind kind;
    std::string last_event_id;
    std::set<std::string> ids;
    Clock::time_point at;
  };

  bool move_what_comes(std::chrono::milliseconds time) override;
  void send_queued();
  void send(const std::string& line);
  void listen_to_server(Kind kind, const std::string& last_event_id, std::set<std::string> ids);
  void resume_due();
  bool is_held_up() const;
  void look_at(Exchange& exchange);
  void take(Exchange& exchange, std::string_view text);
  void finish(Exchange& exchange);
  bool resumes(const Exchange& exchange);
  void cancel(const Json& message);

  std::shared_ptr<HttpServer> server_;
  const Revision* revision_;  // at first the session's own, then what was negotiated
  Line on_line_;
  std::string partial_line_;
  std::deque<std::string> queued_;
  std::list<Exchange> exchanges_;
  std::list<Resumption> resumptions_;
  std::map<std::string, std::string> refusals_;
  std::string session_id_;
  std::size_t output_size_ = 0;
  bool is_gone_ = false, closed_ = false;
};

}  // namespace toolwire::conformance
