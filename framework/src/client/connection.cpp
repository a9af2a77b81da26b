#include "client/connection.hpp"

#include <utility>

#include <toolwire/system/signals_blocked.hpp>
#include "client/lines.hpp"
#include "client/server_requests.hpp"

namespace toolwire::client {
namespace {

using std::chrono::milliseconds;

/// How long the end of input may come after the end of reading, for the better error text.
constexpr milliseconds for_the_end_of_input{250};
constexpr milliseconds between_interrupts{1};

transport::ReadableAtOnce* lendable(Transport& transport, const ClientOptions& options) {
  return options.read_along ? dynamic_cast<transport::ReadableAtOnce*>(&transport) : nullptr;
}

}  // namespace

Clock::time_point deadline_after(milliseconds timeout) {
  const auto now = Clock::now();
  const auto longest = std::chrono::duration_cast<milliseconds>(Clock::time_point::max() - now);
  return timeout < longest ? now + timeout : Clock::time_point::max();
}

Failure timed_out(std::string_view what, milliseconds timeout) {
  return {.kind = Failure::Kind::timed_out,
          .text = "\"" + std::string{what} + "\" got no answer within " + std::to_string(timeout.count()) + " ms"};
}

Connection::Connection(Transport& transport, ClientOptions options, std::function<std::string()> how_it_ended)
    : transport_{transport},
      options_{std::move(options)},
      how_it_ended_{std::move(how_it_ended)},
      lendable_{lendable(transport, options_)},
      send_queue_{transport, [this] { server_reads_no_more(); }} {
  if (lendable_ != nullptr) wishes_lent_.emplace(transport::ReadAlong::of_process());
  const system::SignalsBlocked inherited_by_the_thread;
  reader_ = std::thread{[this] { read_lines(); }};
}

std::shared_ptr<Pending> Connection::send(std::string_view method, const JsonObject& params, Clock::time_point until) {
  auto pending = std::make_shared<Pending>();
  send(pending, method, params, false, until);
  return pending;
}

void Connection::send(const std::shared_ptr<Pending>& pending, std::string_view method, const JsonObject& params,
                      bool token, Clock::time_point until) {
  if (pending->id == 0) pending->in_order = pending->on_progress && !callbacks_.is_this_thread();
  write(pending, method, params, {}, token, SendQueue::Full::wait, until);
}

void Connection::send_at_once(const std::shared_ptr<Pending>& pending, std::string_view method,
                              const JsonObject& params, bool token, const JsonObject& meta) {
  if (send_queue_.is_full())
    throw CongestedError("the server does not read its input, and very much waits for it already");
  pending->in_order = token;
  write(pending, method, params, meta, token, SendQueue::Full::go_on);
}

void Connection::write(const std::shared_ptr<Pending>& pending, std::string_view method, const JsonObject& params,
                       const JsonObject& meta, bool token, SendQueue::Full full, Clock::time_point until) {
  const std::int64_t id = pending_.add(pending);
  if (lendable_ != nullptr) transport::ReadAlong::of_process().expect(*this);
  RequestMeta more{.own = meta, .common = request_meta_};
  if (token) more.progress_token = id;
  if (const auto level = log_level_.load(); level != hears_nothing) more.log_level = log_level_names[level];
  send_queue_.write(request_line(id, method, params, more), full, id, until);
}

Json Connection::request(std::string_view method, const JsonObject& params, milliseconds timeout) {
  const auto deadline = deadline_after(timeout);
  const auto pending = send(method, params, deadline);
  if (!pending->wait_until(deadline)) abandon(*pending, timed_out(method, timeout), "timeout");
  return pending->result();
}

void Connection::notify(std::string_view method, const JsonObject& params) {
  send_queue_.write(notification_line(method, params), SendQueue::Full::wait);
}

void Connection::abandon(Pending& pending, Failure why, const std::string& reason) {
  // The server is told first: who hears of it may go on, or end the client.
  const std::int64_t id = pending.id;
  const auto taken = pending_.take(id);
  if (taken != nullptr && send_queue_.withdraw(id)) {
    why.text += "; it was not even sent, since the server does not read its input";
  } else if (taken != nullptr) {
    JsonObject params{{"requestId", id}};
    if (!reason.empty()) params["reason"] = reason;
    send_queue_.write(notification_line("notifications/cancelled", params), SendQueue::Full::go_on);
  }
  pending.complete(std::move(why));
}

void Connection::forget(Pending& pending, Failure why) {
  if (pending.complete(std::move(why))) pending_.take(pending.id);
}

void Connection::close() {
  closing_ = true;
  {
    std::unique_lock lock{ending_};
    while (reading_) {
      transport_.interrupt();  // may miss a read that is about to begin, hence again
      if (lendable_ != nullptr) transport::ReadAlong::of_process().recall(*this);
      reader_gone_.wait_for(lock, between_interrupts);
    }
    if (reader_.joinable()) reader_.join();
    wishes_lent_.reset();
  }
  send_queue_.close();
  deadlines_.stop();
  questions_.stop();
  callbacks_.stop();
  pending_.close("the client was closed");
  finishing_.close("the client was closed");
}

void Connection::server_reads_no_more() {
  if (lendable_ != nullptr) transport::ReadAlong::of_process().recall(*this);  // its own thread can tell why
  {
    std::unique_lock lock{ending_};
    reader_gone_.wait_for(lock, for_the_end_of_input, [this] { return !reading_; });
  }
  lose("the server no longer reads its input");
}

void Connection::lose(const std::string& reason) {
  const bool told = closing_ || !options_.on_lost;
  pending_.close(reason);
  if (told || lost_.exchange(true)) return;
  try {
    options_.on_lost(reason);
  } catch (...) {  // a function of the embedding program; it has nobody to tell
  }
}

}  // namespace toolwire::client
