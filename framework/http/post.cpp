#include "post.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "protocol/scopes.hpp"
#include "refusal.hpp"
#include "runtime/answer_sink.hpp"
#include "scopes.hpp"
#include "server/route.hpp"
#include "toolwire/detail/log_level.hpp"
#include "toolwire/error.hpp"
#include "types/random_id.hpp"

namespace toolwire::http {
namespace {

// What lines of our own begin with; JSON never does.
constexpr char answer_mark = '\x06';
constexpr char stream_mark = '\x02';
constexpr char alive_mark = '\x16';

/// An error of the protocol has a status of its own only in 2026-07-28 (basic/transports/streamable-http, basic/index).
int status_of_error(int code) {
  switch (code) {
    case error_code::method_not_found:
      return 404;
    case error_code::missing_client_capability:
    case error_code::unsupported_protocol_version:
    case error_code::invalid_request:
    case header_mismatch:
      return 400;
    default:
      return 200;
  }
}

}  // namespace

/// Where the answers of a POST are gathered.
class Post::Answers final : public runtime::AnswerSink {
 public:
  Answers(std::weak_ptr<Post> post, std::size_t expected, bool is_batch)
      : post_(std::move(post)), is_batch_(is_batch), missing_(expected) {}

  void add(std::string_view answer) override { take(answer); }
  void leave_out() override { take({}); }

 private:
  void take(std::string_view answer) {
    const auto post = post_.lock();
    if (!post) return;
    if (!is_batch_) return post->answer(answer);
    std::string all;
    {
      const MutexLock lock(mutex_);
      if (!answer.empty()) array_.append(array_.empty() ? "[" : ",").append(answer);
      if (--missing_ > 0) return;
      if (!array_.empty()) all = std::move(array_.append("]"));
    }
    post->answer(all);
  }

  const std::weak_ptr<Post> post_;
  const bool is_batch_;
  Mutex mutex_;
  std::size_t missing_ TOOLWIRE_GUARDED_BY(mutex_);
  std::string array_ TOOLWIRE_GUARDED_BY(mutex_);
};

Post::Post(std::shared_ptr<Front> front, std::shared_ptr<Exchange> exchange, Settings settings)
    : front_(std::move(front)),
      exchange_(std::move(exchange)),
      settings_(std::move(settings)),
      question_prefix_(settings_.is_modern ? std::string() : types::random_id()),
      connection_(
          front_->service(), *this, front_->channel(), [this] { flush_later(); }, question_prefix_) {
  connection_.peer = settings_.peer;
  connection_.nobody_has_scopes = true;
  connection_.negotiated = settings_.session.revision;
  connection_.trace = settings_.trace;
  auto client = std::make_shared<protocol::Client>();
  client->principal = settings_.principal;
  if (settings_.session.client) client->legacy = settings_.session.client;
  connection_.client = std::move(client);
  front_->service().client_came();
  // The level of logging/setLevel is remembered by nobody.
  if (settings_.session.revision != nullptr)
    connection_.log_level.store(static_cast<unsigned char>(LogLevel::info), std::memory_order_relaxed);
}

Post::~Post() {
  if (id_ != 0) front_->forget(id_);
}

// Its beginning

void Post::begin(jsonrpc::Request&& request) {
  id_text_ = request.id.text;
  keys_.emplace_back(request.id.key());
  is_initialize_ = request.method == "initialize";
  if (settings_.is_modern && request.method == "subscriptions/listen") {
    listener_ = front_->service().listen(connection_);
    listens_ = true;
  }
  if (!enter()) return;
  server::route(connection(), std::move(request), std::make_shared<Answers>(weak_from_this(), 1, false), false);
  go_on_later();
}

void Post::begin(std::vector<jsonrpc::Request>&& batch) {
  for (const auto& request : batch) keys_.emplace_back(request.id.key());
  if (!enter()) return;
  const auto answers = std::make_shared<Answers>(weak_from_this(), batch.size(), true);
  for (auto& request : batch) server::route(connection(), std::move(request), answers, true);
  go_on_later();
}

bool Post::enter() {
  id_ = front_->enter(shared_from_this());
  if (id_ == 0) {
    {
      const MutexLock lock(sending_);
      send_unavailable();
    }
    leave();
    return false;
  }
  if (exchange_->tell(weak_from_this())) return true;
  gone_ = true;
  leave();
  return false;
}

void Post::go_on_later() {
  front_->channel()->wake_for_jobs();
  if (gone_) return peer_left_later();  // it may have been looked for before it was there
  if (!answered_ && !is_initialize_) front_->await_answer(id_);
}

// Its answer

void Post::answer(std::string_view text) {
  answered_ = true;
  std::string line(1, answer_mark);
  connection_.output.append(line.append(text));
  // Listeners are told with a lock held, which leaving takes.
  if (listens_) return flush_later();
  flush();
  if (gone_) leave();
}

/// What is left to do after its end takes locks that are held while it is written.
void Post::flush() {
  connection_.output.flush(Blocking::no);
  if (ended_) leave();
}

void Post::flush_later() {
  front_->engine().post([weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->flush();
    if (self->gone_ && self->answered_) self->leave();
  });
}

/// Again, if somebody who has found the exchange behind is about to leave it at that.
void Post::on_caught_up() {
  front_->engine().post([weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->flush();
    if (!self->connection_.output.empty() && !self->exchange_->is_behind()) self->on_caught_up();
  });
}

void Post::become_stream() {
  if (answered_) return;
  connection_.output.append(std::string_view(&stream_mark, 1));
  flush();
}

bool Post::keep_alive() {
  if (!streams_ || answered_) return false;
  if (quiet_.exchange(true)) {
    connection_.output.append(std::string_view(&alive_mark, 1));
    flush();
  }
  return true;
}

/// Whoever writes holds this post.
std::ptrdiff_t Post::write(const char* bytes, std::size_t count, Blocking) {
  const MutexLock lock(sending_);
  if (gone_ || finished_) return peer_gone;
  if (exchange_->is_behind()) return 0;
  std::string_view rest(bytes, count);
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    line_.append(rest.substr(0, end));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
    on_line(line_);
    line_.clear();
  }
  return static_cast<std::ptrdiff_t>(count);
}

void Post::on_line(std::string_view line) {
  if (finished_ || line.empty()) return;
  switch (line.front()) {
    case answer_mark:
      return on_answer(line.substr(1));
    case stream_mark:
      return begin_stream();
    case alive_mark:
      return streams_ ? exchange_->write(":\n\n") : void();
    default:
      begin_stream();
      send_event(line);
  }
}

void Post::on_answer(std::string_view text) {
  if (streams_) {
    if (!text.empty()) send_event(text);
  } else if (!text.empty()) {
    send_json(text);
  } else if (front_->is_stopping()) {
    return send_unavailable();
  } else {
    begin_stream();  // cancelled by the client: no answer, and no error either
  }
  finish();
}

void Post::send_json(std::string_view text) {
  Head head = head_for(text);
  if (auto id = minted_session(text)) head.fields.push_back({"Mcp-Session-Id", std::move(*id)});
  started_ = true;
  exchange_->start(head);
  exchange_->write(text);
}

void Post::send_unavailable() {
  const std::string_view why = front_->is_stopping() ? "the server is stopping" : "the server has too many requests";
  const std::string text =
      error_body(error_code::internal_error, "Internal error: " + std::string(why) + "; try again later", id_text_,
                 R"({"code":"busy","retryable":true})");
  started_ = true;
  exchange_->start(
      {.status = 503, .fields = {{"Content-Type", "application/json"}, {"Retry-After", "1"}}, .length = text.size()});
  exchange_->write(text);
  finish();
}

void Post::begin_stream() {
  if (std::exchange(started_, true)) return;
  streams_ = true;
  exchange_->start(
      {.status = 200,
       .fields = {{"Content-Type", "text/event-stream"}, {"Cache-Control", "no-cache"}, {"X-Accel-Buffering", "no"}}});
  front_->stream_began();
}

void Post::send_event(std::string_view text) {
  quiet_ = false;
  std::string event = "data: ";
  event.reserve(text.size() + event.size() + 2);
  exchange_->write(event.append(text).append("\n\n"));
}

void Post::finish() {
  finished_ = true;
  exchange_->finish();
  ended_ = true;
}

/// Of the one request that it answers.
std::optional<int> Post::error_code_in(std::string_view answer) const {
  if (id_text_.empty()) return std::nullopt;
  std::string begin = R"({"jsonrpc":"2.0","id":)";
  begin.append(id_text_).append(R"(,"error":{"code":)");
  if (!answer.starts_with(begin)) return std::nullopt;
  int code = 0;
  std::from_chars(answer.data() + begin.size(), answer.data() + answer.size(), code);
  return code;
}

/// Who lacks a scope is told so in all revisions; most were before their request began.
Head Post::head_for(std::string_view answer) const {
  Head head{.status = 200, .fields = {{"Content-Type", "application/json"}}, .length = answer.size()};
  const auto code = error_code_in(answer);
  if (!code) return head;
  const auto needed = *code == protocol::insufficient_scope ? protocol::scopes_in_refusal(answer) : std::nullopt;
  if (needed) {
    head.status = 403;
    head.fields.push_back(
        {"WWW-Authenticate", scope_challenge(settings_.resource.get(), *needed, settings_.principal)});
  } else if (settings_.is_modern) {
    head.status = status_of_error(*code);
  }
  return head;
}

/// Of a handshake that came to an agreement.
std::optional<std::string> Post::minted_session(std::string_view answer) const {
  if (!is_initialize_ || settings_.is_modern || connection_.negotiated == nullptr) return std::nullopt;
  if (!answer.starts_with(R"({"jsonrpc":"2.0","id":)" + id_text_ + R"(,"result":)")) return std::nullopt;
  std::string id = sealed({connection_.negotiated, connection_.client->legacy}, settings_.principal.id,
                          std::chrono::system_clock::now() + settings_.session_age);
  return id.empty() ? std::nullopt : std::optional(std::move(id));
}

// Its end

bool Post::cancel(std::string_view key) {
  if (!connection_.in_flight.cancel(key)) return false;
  front_->channel()->job_over();
  return true;
}

void Post::stop_reading() {
  connection_.outgoing.close();
  connection_.end_subscriptions();
}

void Post::cancel_all() {
  connection_.in_flight.cancel_all();
  connection_.outgoing.close();
}

/// A subscription may have been opened after `stop_reading` has ended those that there were.
void Post::abandon() {
  connection_.end_subscriptions();
  flush();
  connection_.output.close();  // a flush on another thread has what is ready to its end
  {
    const MutexLock lock(sending_);
    if (!finished_ && !gone_) started_ ? finish() : send_unavailable();
  }
  leave();
}

/// Not at once: it may be called inside of `write`.
void Post::on_closed() {
  if (!gone_.exchange(true)) peer_left_later();
}

void Post::peer_left_later() {
  front_->engine().post([self = shared_from_this()] { self->peer_left(); });
}

/// The revisions before 2026-07-28 do not take this as a cancellation (2025-11-25 basic/transports, sending messages);
/// but a question has lost its way.
void Post::peer_left() {
  connection_.output.drop();
  connection_.outgoing.close();
  if (!settings_.is_modern && !answered_) return;
  for (const std::string& key : keys_) cancel(key);
  leave();
}

void Post::leave() {
  if (has_left_.exchange(true)) return;
  if (listens_) {
    front_->service().forget(listener_);
    connection_.subscriptions.take_all();
  }
  connection_.outgoing.close();
  front_->leave(id_);
}

}  // namespace toolwire::http
