// One conversation with one run of the server: opens it as its revision wants, sends requests or raw bytes, waits for
// answers, answers the server's own requests. It makes no judgement.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "driver/message.hpp"
#include "driver/revision.hpp"
#include "driver/server_process.hpp"

namespace toolwire::conformance {

/// What came of a request.
struct Answer {
  /// `ended`: the server's output ended first; `refused`: over HTTP, the reply was another than a response.
  enum class Kind { result, error, silence, ended, refused };

  Kind kind = Kind::silence;
  Json result = {};  // or the error object
  Message message = {};
  std::string refusal = {};  // what came instead

  bool ok() const { return kind == Kind::result; }
  bool is_error() const { return kind == Kind::error; }
  /// No response came, though the server is still there.
  bool is_missing() const { return kind == Kind::silence || kind == Kind::refused; }
  std::int64_t code() const { return is_error() ? message.error_code() : 0; }
  /// For people: "a result", "error -32601 (Method not found)", "no answer within 2000 ms", "the end of its output".
  std::string text() const;
};

struct SessionOptions {
  JsonObject capabilities = {};  // of the client
  std::string client_name = "toolwire-conformance";
  std::chrono::milliseconds timeout{5000};  // of one request
};

/// Capabilities that let the server ask for everything the revision knows.
JsonObject all_capabilities(const Revision& revision);

/// Thrown where the process of a session is needed and there is none: the server is reached over HTTP.
struct NoProcess : std::runtime_error {
  NoProcess();
};

/// Not thread-safe.
class Session {
 public:
  /// Answers one request of the server (legacy), or one input request (modern). Nothing: it stays unanswered.
  using Responder = std::function<std::optional<Json>(const std::string& method, const Json& params)>;

  /// Starts the server, or prepares to reach it over HTTP. Throws std::system_error if it cannot be started.
  Session(const Launch& launch, const Revision& revision, SessionOptions options = {});

  /// Legacy: `initialize` and `notifications/initialized`; the answer is that of `initialize`. Modern: nothing to do,
  /// the answer is that of `server/discover`.
  Answer open();
  /// The same in steps: the first request, and what follows once it was answered.
  Json start_opening();
  void finish_opening(const Answer& answer);
  const Revision& revision() const { return revision_; }
  SessionOptions& options() { return options_; }

  /// Sends a request with a fresh id and waits. Modern metadata is added to `params`.
  Answer request(std::string_view method, JsonObject params = {});
  Answer request(std::string_view method, JsonObject params, std::chrono::milliseconds timeout);
  /// The same, answering input requests of the modern era until the result is complete (at most ten rounds).
  Answer request_with_inputs(std::string_view method, const JsonObject& params = {});
  /// Sends without waiting; returns the id.
  Json send_request(std::string_view method, JsonObject params = {});
  /// The same so many times; returns the ids.
  std::vector<Json> send_requests(std::size_t count, std::string_view method, const JsonObject& params = {});
  Json send_request_with_id(Json id, std::string_view method, JsonObject params = {});
  Answer await(const Json& id);
  Answer await(const Json& id, std::chrono::milliseconds timeout);
  void notify(std::string_view method, JsonObject params = {});

  /// `params` with what the revision's requests carry in `_meta`; members that are there stay.
  JsonObject with_metadata(JsonObject params) const;
  /// A whole request as text, without line feed.
  std::string request_text(const Json& id, std::string_view method, JsonObject params = {}) const;
  /// Made by hand: may be anything.
  void send_line(std::string_view text);
  void send_bytes(std::string_view bytes);

  /// The ids of our requests, as JSON text, each as often as it was sent; `sent_raw` once bytes went out that were made
  /// by hand, with arbitrary ids.
  const std::multiset<std::string>& sent_ids() const { return sent_ids_; }
  bool sent_raw() const { return sent_raw_; }
  /// Which request of ours a response answers; "" if none, or several with different methods have had its id.
  std::string_view method_answered_by(const Message& response) const;

  /// All messages so far, in order of arrival; `mark()` is the number of them.
  const std::vector<Message>& messages() const { return messages_; }
  std::size_t mark() const { return messages_.size(); }
  /// Waits for a message that fits, looking at those from number `from` on. Null: none came.
  const Message* wait_for(std::size_t from, const std::function<bool(const Message&)>& fits,
                          std::chrono::milliseconds timeout);
  const Message* wait_for_notification(std::size_t from, std::string_view method, std::chrono::milliseconds timeout);
  /// Lets time pass while reading.
  void listen_for(std::chrono::milliseconds time);
  /// Whether the server still answers: `ping`, or `server/discover` in the modern era.
  bool is_alive();
  Answer probe();

  /// Null: the server's requests are left unanswered (they are in `messages`). A new session answers all of them.
  void respond_with(Responder responder) { responder_ = std::move(responder); }
  void answer_request(const Json& id, const Json& result);

  /// Whether it wrote more than is reasonable; its output is then no longer read.
  bool flooded() const { return flooded_; }

  /// The first line that is no message and is told of in `text`, with its first `shown_foreign` bytes at least. Null:
  /// none is.
  const Message* foreign_line_in(std::string_view text) const;
  static constexpr std::size_t shown_foreign = 200;

  /// Closes its input and waits for its end.
  bool end(std::chrono::milliseconds time);

  Connection& connection() { return *connection_; }
  const Connection& connection() const { return *connection_; }
  /// Whether the server is a process of this session's own.
  bool has_process() const { return process_ != nullptr; }
  /// Throws NoProcess over HTTP.
  ServerProcess& process();
  const ServerProcess& process() const;

 private:
  void took(std::string_view line, bool ended);
  void answer_server(const Message& message);
  const Message* response_to(const Json& id) const;
  void write_line(std::string_view text);
  void send_held();

  const Revision revision_;
  SessionOptions options_;
  std::vector<Message> messages_;
  std::map<std::string, std::size_t> responses_;  // by the text of their id
  std::multiset<std::string> sent_ids_;
  std::map<std::string, std::string> methods_;  // of requests, by their id; "" where it is not clear
  bool sent_raw_ = false;
  bool within_line_ = false;  // of ours, whose end is to come
  std::string held_;          // answers for behind it
  Responder responder_;
  std::size_t foreign_lines_ = 0;
  bool flooded_ = false;
  std::int64_t next_id_ = 1;
  std::unique_ptr<Connection> connection_;
  ServerProcess* process_ = nullptr;  // the connection, unless it is one over HTTP
};

/// What a patient user would answer: the first model reply, one root, an accepted form filled from its schema, {} to a
/// ping.
std::optional<Json> default_response(const std::string& method, const Json& params);

}  // namespace toolwire::conformance
