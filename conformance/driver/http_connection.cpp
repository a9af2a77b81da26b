#include "driver/http_connection.hpp"

#include <poll.h>

#include <algorithm>
#include <vector>

#include "driver/interruption.hpp"
#include "driver/message.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

constexpr auto max_hold_up = 2000ms;           // by a reply whose headers do not come
constexpr auto wait_before_resuming = 1000ms;  // where the server names no time
constexpr auto time_to_end_session = 300ms;

std::string id_text(const Json& message) {
  const JsonObject* object = message.if_object();
  const Json* id = object != nullptr ? object->if_contains("id") : nullptr;
  return id != nullptr ? to_json_text(*id) : "";
}

/// The ids of the requests in a message or a batch.
std::set<std::string> ids_of_requests(const Json& message) {
  std::set<std::string> ids;
  if (const JsonArray* batch = message.if_array()) {
    for (const Json& one : *batch) ids.merge(ids_of_requests(one));
  } else if (get(message, "method").is_string()) {
    if (std::string id = id_text(message); !id.empty()) ids.insert(std::move(id));
  }
  return ids;
}

}  // namespace

HttpConnection::HttpConnection(std::shared_ptr<HttpServer> server, const Revision& revision, Line on_line)
    : server_(std::move(server)), revision_(&revision), on_line_(std::move(on_line)) {}

HttpConnection::~HttpConnection() {
  exchanges_.clear();
  if (session_id_.empty() || is_gone_) return;
  const auto end = server_->start(server_->bare(*revision_, "DELETE", session_id_), recording());
  try {
    move_exchanges({end.get()}, time_to_end_session, [&] { return end->is_over(); });
  } catch (const RunEnded&) {  // then the session ends when the server forgets it
  }
}

void HttpConnection::write(std::string_view bytes) {
  partial_line_.append(bytes);
  for (std::size_t end = 0; (end = partial_line_.find('\n')) != std::string::npos;) {
    queued_.push_back(partial_line_.substr(0, end));
    partial_line_.erase(0, end + 1);
  }
  send_queued();
}

void HttpConnection::close_output() {
  recording().remark("nothing is read any more");
  closed_ = true;
  exchanges_.clear();
}

std::optional<std::string> HttpConnection::refusal_of(const std::string& id) const {
  const auto found = refusals_.find(id);
  return found != refusals_.end() ? std::optional(found->second) : std::nullopt;
}

bool HttpConnection::is_held_up() const {
  return std::ranges::any_of(exchanges_, [](const Exchange& it) {
    return it.awaited && !it.http->reply().has_headers && Clock::now() - it.begin < max_hold_up;
  });
}

void HttpConnection::send_queued() {
  while (!queued_.empty() && !is_held_up() && !output_ended()) {
    const std::string line = std::move(queued_.front());
    queued_.pop_front();
    send(line);
  }
}

void HttpConnection::send(const std::string& line) {
  const Message read = read_message(line, true);
  const Json& message = read.json;
  const std::string_view method = text_of(get(message, "method"));
  if (revision_->modern && method == "notifications/cancelled") return cancel(message);
  Exchange exchange{.kind = Kind::other, .http = nullptr};
  exchange.ids = ids_of_requests(message);
  if (!exchange.ids.empty()) exchange.kind = Kind::request;
  exchange.opens = method == "initialize";
  exchange.shows_body = read.kind != Message::Kind::notification && read.kind != Message::Kind::response;
  // What follows may need the session, or that a notification was seen; requests may overtake each other.
  exchange.awaited = exchange.opens || exchange.kind == Kind::other;
  exchange.http = server_->start(server_->post(*revision_, line, session_id_), recording());
  for (const std::string& id : exchange.ids) refusals_.erase(id);
  exchanges_.push_back(std::move(exchange));
  if (!revision_->modern && method == "notifications/initialized") listen_to_server(Kind::listening, "", {});
}

/// Closing the reply of a request is how a client of the modern era cancels it.
void HttpConnection::cancel(const Json& message) {
  const std::string id = to_json_text(get(message, "params", "requestId"));
  for (Exchange& exchange : exchanges_) {
    if (!exchange.ids.contains(id)) continue;
    recording().remark("the reply to the request " + id + " was closed");
    exchange.ids.clear();
    exchange.http->close();
  }
}

/// What no request has asked for comes on a stream of its own, if the server offers one.
void HttpConnection::listen_to_server(Kind kind, const std::string& last_event_id, std::set<std::string> ids) {
  HttpRequest request = server_->bare(*revision_, "GET", session_id_);
  if (!last_event_id.empty()) request.set("Last-Event-ID", last_event_id);
  exchanges_.push_back(
      {.kind = kind, .http = server_->start(request, recording()), .ids = std::move(ids), .awaited = true});
}

void HttpConnection::resume_due() {
  for (auto it = resumptions_.begin(); it != resumptions_.end();) {
    if (it->at > Clock::now()) {
      ++it;
      continue;
    }
    listen_to_server(it->kind, it->last_event_id, std::move(it->ids));
    it = resumptions_.erase(it);
  }
}

bool HttpConnection::move_what_comes(std::chrono::milliseconds time) {
  if (output_ended()) return false;
  resume_due();
  send_queued();
  constexpr auto look_every = 20ms;  // for what is due or held up
  const bool is_waiting = !queued_.empty() || !resumptions_.empty();
  std::vector<pollfd> waiting;
  std::vector<Exchange*> waited_for;
  for (Exchange& exchange : exchanges_) {
    waiting.push_back({exchange.http->descriptor(), exchange.http->wanted_events(), 0});
    waited_for.push_back(&exchange);
  }
  const auto limit = is_waiting ? std::min<std::chrono::milliseconds>(time, look_every) : time;
  ::poll(waiting.data(), waiting.size(), static_cast<int>(limit.count()) + 1);
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    if (waiting[i].revents != 0) waited_for[i]->http->move();
  }
  for (auto it = exchanges_.begin(); it != exchanges_.end() && !output_ended();) {
    look_at(*it);
    if (output_ended()) break;
    it = it->http->is_over() ? exchanges_.erase(it) : std::next(it);
  }
  send_queued();
  return true;
}

void HttpConnection::look_at(Exchange& exchange) {
  const HttpReply& reply = exchange.http->reply();
  output_size_ += exchange.http->received() - exchange.received;
  exchange.received = exchange.http->received();
  if (!exchange.http->unreachable().empty()) {
    recording().remark("the server cannot be reached: " + exchange.http->unreachable());
    is_gone_ = true;
    return;
  }
  if (exchange.opens && reply.has_headers) {
    if (const std::string* id = reply.header(session_header)) session_id_ = *id;
  }
  for (; exchange.events < reply.events.size(); ++exchange.events) {
    const SseEvent& event = reply.events[exchange.events];
    if (event.type.empty() && !event.data.empty()) take(exchange, event.data);
    if (!event.type.empty() && !event.data.empty())
      recording().remark("an event of the type " + event.type +
                         ", which clients leave alone: messages are events of the "
                         "type message, or of none");
    if (output_ended()) return;
  }
  if (exchange.http->is_over()) finish(exchange);
}

void HttpConnection::take(Exchange& exchange, std::string_view text) {
  const Json json = read_message(text, true).json;
  server_->learn(json);
  if (exchange.opens) {
    const Revision* negotiated = find_revision(text_of(get(json, "result", "protocolVersion")));
    if (negotiated != nullptr) revision_ = negotiated;
  }
  const auto forget = [&](const Json& one) {
    if (!get(one, "method").is_string()) exchange.ids.erase(id_text(one));
  };
  if (const JsonArray* batch = json.if_array())
    std::ranges::for_each(*batch, forget);
  else
    forget(json);
  on_line_(text, true);
}

void HttpConnection::finish(Exchange& exchange) {
  const HttpReply& reply = exchange.http->reply();
  if (exchange.shows_body && !reply.is_event_stream() && !reply.body.empty()) {
    // An error page is no message, and need be none.
    const bool is_message = read_message(reply.body, true).kind != Message::Kind::foreign;
    if (is_message || reply.status == 200) take(exchange, reply.body);
  }
  if (output_ended() || resumes(exchange) || exchange.ids.empty()) return;
  const std::string why = reply.is_event_stream() ? "a stream of events that ended without it" : reply.text();
  for (const std::string& id : exchange.ids) refusals_[id] = why;
}

/// Servers of the handshake may close a connection early and go on with its stream when the client comes back.
bool HttpConnection::resumes(const Exchange& exchange) {
  const HttpReply& reply = exchange.http->reply();
  const bool is_unanswered = !exchange.ids.empty() && !reply.last_event_id.empty();
  if (revision_->modern || !reply.is_event_stream() || (!is_unanswered && exchange.kind != Kind::listening))
    return false;
  const Kind kind = exchange.kind == Kind::listening ? Kind::listening : Kind::resuming;
  const auto pause = reply.retry_ms ? std::chrono::milliseconds(*reply.retry_ms) : wait_before_resuming;
  resumptions_.push_back({kind, reply.last_event_id, exchange.ids, Clock::now() + pause});
  return true;
}

}  // namespace toolwire::conformance
