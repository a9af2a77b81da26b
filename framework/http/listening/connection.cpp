#include "listening/connection.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "listening/port_listener.hpp"

namespace toolwire::http {
namespace {

using std::chrono::milliseconds;
using system::Poller;

constexpr std::size_t max_unread = std::size_t{64} << 10;  // bytes behind a request that is not answered
using Piece = std::array<char, std::size_t{16} << 10>;
constexpr unsigned max_reads = 8;      // before others have their turn
constexpr milliseconds linger{2'000};  // for a client to read why it was refused

}  // namespace

/// Of one request. The connection may be gone before it.
class Connection::Answer final : public Exchange {
 public:
  explicit Answer(std::weak_ptr<Connection> connection) : connection_(std::move(connection)) {}

  void start(const Head& head) override {
    tell([&](Connection& connection) { connection.start(head); });
  }
  void write(std::string_view bytes) override {
    tell([&](Connection& connection) { connection.write(bytes); });
  }
  void finish() override {
    tell([](Connection& connection) { connection.finish(); });
  }
  bool is_behind() const override {
    const auto connection = connection_.lock();
    return connection && connection->is_behind();
  }

 private:
  template <class Call>
  void tell(const Call& call) const {
    const auto connection = connection_.lock();
    if (!connection) return;
    try {
      call(*connection);
    } catch (const std::bad_alloc&) {  // half an answer is none
      connection->give_up();
    }
  }

  const std::weak_ptr<Connection> connection_;
};

Connection::Connection(std::shared_ptr<PortListener> listener, std::uint64_t id, system::FileDescriptor socket,
                       std::shared_ptr<const Peer> peer)
    : listener_(std::move(listener)),
      id_(id),
      socket_(std::move(socket)),
      peer_(std::move(peer)),
      reader_({.target = limits().target,
               .head = limits().head,
               .fields = limits().fields,
               .body = listener_->settings().max_body}) {}

engine::Engine& Connection::engine() const { return listener_->works_on(); }
const ConnectionLimits& Connection::limits() const { return listener_->settings().limits; }

void Connection::begin() {
  const MutexLock lock(sending_);
  interest_ = Poller::input;
  watch_ = engine().watch(socket_.descriptor(), interest_, [weak = weak_from_this()](unsigned what) {
    if (const auto self = weak.lock()) self->ready(what);
  });
  if (watch_ == 0) return give_up();
  expect_now(Awaited::request);
}

// Reading

void Connection::ready(unsigned what) {
  try {
    if ((what & Poller::output) != 0) send_more();
    if ((what & (Poller::input | Poller::hang_up)) == 0) return;
    const MutexLock lock(reading_);
    receive((what & Poller::hang_up) != 0);
  } catch (const std::bad_alloc&) {
    give_up();
  }
}

void Connection::receive(bool hung_up) {
  if (pauses_) return hung_up ? client_left() : void();
  Piece bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the system
  for (unsigned i = 0; i < max_reads && !pauses_ && !is_over_; ++i) {
    const auto count = socket_.receive(bytes);
    if (!count) return;
    if (*count == 0) return client_left();
    if (closes_) continue;  // it is thrown away, so that the client can read the answer
    reader_.add({bytes.data(), *count});
    read_requests();
    if (waits_ && reader_.unread() >= max_unread) pause_input(true);
    if (*count < bytes.size()) return;
  }
}

/// The client does not send any more, and counts as gone: what it has asked for is cancelled. What was answered before
/// is still sent.
void Connection::client_left() {
  {
    const MutexLock lock(sending_);
    has_left_ = !answer_ && !outbox_.empty();
    if (has_left_) closes_ = true;
    if (has_left_) return watch_descriptor();
  }
  give_up();
}

/// One after the other, as far as they are there and those before are answered.
void Connection::read_requests() {
  using Progress = RequestReader::Progress;
  while (!must_wait()) {
    switch (reader_.go_on()) {
      case Progress::nothing:
        return expect(Awaited::request);
      case Progress::head:
        return expect(Awaited::head);
      case Progress::at_body:
        on_head();
        break;
      case Progress::body:
        return expect(Awaited::body);
      case Progress::whole:
        hand_over();
        break;
      case Progress::refused:
        return refuse(reader_.why_refused());
    }
  }
}

/// Whoever ends the wait calls `go_on_later`.
bool Connection::must_wait() {
  const MutexLock lock(sending_);
  const bool is_behind = outbox_.size() > limits().unsent;
  const bool is_asking = caller_->is_open();
  waits_ = closes_ || answer_ || is_behind || is_asking || is_closed_;
  input_waits_ = waits_ && reader_.unread() > 0;
  if (waits_ && !closes_ && !is_asking) expect_now(Awaited::nothing);
  return waits_;
}

void Connection::go_on_later() {
  engine().post([self = shared_from_this()] { self->go_on(); });
}

void Connection::go_on() {
  try {
    const MutexLock lock(reading_);
    read_requests();
    if (pauses_ && !(waits_ && reader_.unread() >= max_unread)) pause_input(false);
  } catch (const std::bad_alloc&) {
    give_up();
  }
}

void Connection::pause_input(bool pause) {
  pauses_ = pause;
  const MutexLock lock(sending_);
  is_paused_ = pause;
  watch_descriptor();
}

/// Whoever may not call is told so before its body is read. Called again when it is known who calls.
void Connection::on_head() {
  if (peer_) reader_.request().peer = *peer_;
  if (const auto reply = listener_->endpoint().answer_to_head(reader_.request())) return answer_at_once(*reply);
  if (listener_->settings().authenticate) {
    auto caller = caller_->take();
    if (!caller) return ask_who_calls();
    if (caller->refused) return refuse(*caller->refused);
    principal_ = std::move(caller->principal);
  }
  begin_body();
}

void Connection::ask_who_calls() {
  expect(Awaited::caller);
  caller_->ask(listener_->settings().authenticate, reader_.request(), [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->go_on_later();
  });
}

void Connection::begin_body() {
  if (reader_.waits_for_continue() && reader_.has_body() && reader_.unread() == 0) {
    const MutexLock lock(sending_);
    outbox_.end().append(go_on_text);
    send_now();
  }
  reader_.read_body();
}

void Connection::hand_over() {
  const auto answer = begin_answer(form());
  Request request = std::move(reader_.request());
  reader_.begin_next();
  request.principal = std::exchange(principal_, {});
  listener_->endpoint().handle(std::move(request), answer);
}

/// Without handing it over. A request without a body has been read, and the next may follow; of others it is not known
/// where they end.
void Connection::answer_at_once(const Reply& what) {
  const bool is_known = reader_.progress() == RequestReader::Progress::at_body;
  const bool goes_on = is_known && !reader_.has_body();
  Form wanted = is_known ? form() : Form{};
  wanted.keeps = wanted.keeps && goes_on;
  const auto answer = begin_answer(wanted);
  if (goes_on) reader_.begin_next();
  send(what, *answer);
}

void Connection::refuse(const Refusal& what) { answer_at_once(listener_->endpoint().worded(what)); }

Connection::Form Connection::form() {
  return {
      .is_head = reader_.request().method == "HEAD", .is_old = reader_.is_old(), .keeps = reader_.keeps_connection()};
}

// Writing

std::shared_ptr<Connection::Answer> Connection::begin_answer(Form form) {
  auto answer = std::make_shared<Answer>(weak_from_this());
  const MutexLock lock(sending_);
  expect_now(Awaited::nothing);
  answer_ = answer;
  form_ = form;
  update_busy();
  return answer;
}

/// The head of a body that is there already goes with it.
void Connection::start(const Head& head) {
  const MutexLock lock(sending_);
  if (is_closed_) return;
  framing_ = framing_of(head, form_.is_head, form_.is_old);
  if (!form_.keeps || framing_ == Framing::close || listener_->is_ending()) closes_ = true;
  const Persistence persistence = closes_ ? Persistence::closes : form_.is_old ? Persistence::kept : Persistence::usual;
  outbox_.end().append(head_text(head, framing_, persistence, std::chrono::system_clock::now()));
  if (!head.length) send_now();
}

void Connection::write(std::string_view bytes) {
  const MutexLock lock(sending_);
  if (is_closed_) return;
  append_piece(outbox_.end(), framing_, bytes);
  send_now();
}

void Connection::finish() {
  std::shared_ptr<Answer> finished;  // destroyed outside of the lock
  const MutexLock lock(sending_);
  if (is_closed_) return;
  append_end(outbox_.end(), framing_);
  finished = std::exchange(answer_, nullptr);
  answer_ends_ = Clock::now() + limits().answer_time;
  if (!closes_) expect_now(Awaited::request);
  send_now();
  if (input_waits_ && outbox_.size() <= limits().unsent) go_on_later();
}

bool Connection::is_behind() const {
  const MutexLock lock(sending_);
  return outbox_.size() > limits().unsent;
}

/// There is room again.
void Connection::send_more() {
  std::shared_ptr<Answer> caught_up;
  {
    const MutexLock lock(sending_);
    const bool was_behind = outbox_.size() > limits().unsent;
    send_now();
    if (!was_behind || outbox_.size() > limits().unsent) return;
    if (input_waits_ && !answer_) go_on_later();
    caught_up = answer_;
  }
  if (caught_up) caught_up->caught_up();
}

void Connection::send_now() {
  bool has_moved = false;
  while (!outbox_.empty()) {
    const auto count = socket_.send(outbox_.rest());
    if (!count) return give_up();
    if (*count == 0) break;
    outbox_.take(*count);
    has_moved = true;
  }
  note_progress(has_moved);
  if (outbox_.empty() && closes_ && !answer_) {
    if (has_left_) return give_up();
    socket_.end_output();
    expect_now(Awaited::end);
  }
  watch_descriptor();
  update_busy();
}

void Connection::watch_descriptor() {
  if (is_over_) return;
  unsigned wanted = outbox_.empty() ? Poller::nothing : Poller::output;
  if (!has_left_) wanted |= is_paused_ ? Poller::hang_up : Poller::input;
  if (std::exchange(interest_, wanted) != wanted) engine().rewatch(watch_, wanted);
}

void Connection::update_busy() {
  const bool busy = answer_ || !outbox_.empty();
  if (std::exchange(is_busy_, busy) != busy) listener_->busy_changed(busy);
}

// Time

void Connection::expect(Awaited what) {
  const MutexLock lock(sending_);
  expect_now(what);
}

/// A head has its time from its first byte on, and so have the others; only each piece of a body gives time anew.
void Connection::expect_now(Awaited what) {
  if (std::exchange(awaited_, what) == what && what != Awaited::body) return;
  set_deadline(deadline_, deadline_for(what));
}

Connection::Clock::time_point Connection::deadline_for(Awaited what) {
  const auto now = Clock::now();
  const bool is_in_request = what == Awaited::head || what == Awaited::caller || what == Awaited::body;
  if (!is_in_request) request_ends_ = Clock::time_point::max();
  if (is_in_request && request_ends_ == Clock::time_point::max()) request_ends_ = now + limits().request_time;
  switch (what) {
    case Awaited::request:
      return now + limits().idle;
    case Awaited::head:
      return std::min(now + limits().head_time, request_ends_);
    case Awaited::body:
      return std::min(now + limits().body_pause, request_ends_);
    case Awaited::caller:
      return now + limits().authenticate;
    case Awaited::end:
      return now + linger;
    default:
      return Clock::time_point::max();
  }
}

/// Each piece that the client takes gives it time anew, until the answer as a whole has had its time.
void Connection::note_progress(bool has_moved) {
  if (outbox_.empty()) {
    answer_ends_ = send_deadline_ = Clock::time_point::max();
    return;
  }
  const auto was = send_deadline_.load();
  const bool begins_anew = has_moved || was == Clock::time_point::max();
  set_deadline(send_deadline_, std::min(begins_anew ? Clock::now() + limits().stalled : was, answer_ends_));
}

void Connection::set_deadline(std::atomic<Clock::time_point>& deadline, Clock::time_point when) {
  deadline = when;
  if (when != Clock::time_point::max()) listener_->watch_clock();
}

Connection::Clock::time_point Connection::idle_until() const {
  const MutexLock lock(sending_);
  return awaited_ == Awaited::request && !is_over_ ? deadline_.load() : Clock::time_point::max();
}

bool Connection::give_way() {
  const MutexLock lock(sending_);
  if (awaited_ != Awaited::request || is_over_) return false;
  give_up();
  return true;
}

bool Connection::look_at_clock(Clock::time_point now) {
  if (is_over_) return false;
  if (send_deadline_.load() <= now) {
    give_up();
  } else if (deadline_.load() <= now) {
    come_late(now);
  }
  return deadline_.load() != Clock::time_point::max() || send_deadline_.load() != Clock::time_point::max();
}

void Connection::come_late(Clock::time_point now) {
  const MutexLock lock(reading_);
  Awaited awaited{};
  {
    const MutexLock deciding(sending_);
    if (deadline_.load() > now) return;  // it has come in the last moment
    awaited = awaited_;
  }
  switch (awaited) {
    case Awaited::head:
      return refuse(refusal(408, "the head of the request did not come in time"));
    case Awaited::body:
      return refuse(refusal(408, "the body of the request did not come in time"));
    case Awaited::caller:
      caller_->drop();
      return refuse(CallerQuestion::refusal_without_answer());
    default:
      return give_up();
  }
}

// The end

void Connection::stop() {
  const MutexLock lock(sending_);
  if (!is_busy_) return give_up();
  closes_ = true;
}

/// With whatever lock held: what is left to do waits for calls of the watch.
void Connection::give_up() {
  if (is_over_.exchange(true)) return;
  engine().rewatch(watch_, Poller::nothing);
  engine().post([self = shared_from_this()] { self->close(); });
}

void Connection::close() {
  std::shared_ptr<Answer> answer;
  {
    const MutexLock lock(sending_);
    if (std::exchange(is_closed_, true)) return;
    is_over_ = true;
    answer = std::exchange(answer_, nullptr);
    outbox_.clear();
    update_busy();
  }
  if (answer) answer->closed();
  engine().unwatch(watch_);
  listener_->forget(id_);
}

}  // namespace toolwire::http
