#include "client/connection.hpp"

#include <algorithm>
#include <utility>

#include "client/incoming.hpp"
#include "client/lines.hpp"
#include "client/server_requests.hpp"

namespace toolwire::client {
namespace {

using std::chrono::milliseconds;

/// How long the end of input may come after the end of reading, and the end of the process after that of input, for the
/// better error text.
constexpr milliseconds for_the_end_of_input{250};
constexpr milliseconds for_the_exit{250};
constexpr milliseconds between_looks{2};
constexpr std::size_t quoted_of_malformed = 200;

}  // namespace

Clock::time_point deadline_after(milliseconds timeout) {
  if (timeout == milliseconds::max()) return Clock::time_point::max();
  const auto now = Clock::now();
  const auto longest = std::chrono::duration_cast<milliseconds>(Clock::time_point::max() - now);
  return timeout < longest ? now + timeout : Clock::time_point::max();
}

std::chrono::nanoseconds time_until(Clock::time_point deadline) {
  if (deadline == Clock::time_point::max()) return {};
  return std::max(deadline - Clock::now(), std::chrono::nanoseconds{1});
}

Failure timed_out(std::string_view what, milliseconds timeout) {
  return {.kind = Failure::Kind::timed_out,
          .text = "\"" + std::string{what} + "\" got no answer within " + std::to_string(timeout.count()) + " ms"};
}

Connection::Connection(Transport& transport, ClientOptions options, Ending ending)
    : options_{std::move(options)},
      ending_{std::move(ending)},
      callbacks_{options_.engine},
      deadlines_{options_.engine},
      send_queue_{transport, [this] { server_reads_no_more(); }, options_.engine},
      reader_{
          transport,
          options_.max_line,
          {.engine = options_.engine, .lends = options_.read_along},
          {.take = [this](const LineReader::Line& line) { take(line); },
           .ended = [this](const std::string& failure) { lose_once_explained(failure, Clock::now() + for_the_exit); },
           .expects_something = [this] { return pending_.awaits_answer(); }}} {}

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
  pending->awaits_no_answer = false;
  const std::int64_t id = pending_.add(pending);
  reader_.expect();
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
  write_other(notification_line(method, params), SendQueue::Full::wait);
}

/// What is no request.
void Connection::write_other(std::string_view line, SendQueue::Full full) {
  pending_.note_other_line();
  send_queue_.write(line, full);
  pending_.note_other_line();
}

void Connection::abandon(Pending& pending, Failure failure, const std::string& reason) {
  // The server is told first: a listener may continue, or end the client.
  const std::int64_t id = pending.id;
  const auto taken = pending_.take(id);
  if (taken != nullptr && send_queue_.withdraw(id)) {
    failure.text += "; it was not even sent, since the server does not read its input";
  } else if (taken != nullptr) {
    JsonObject params{{"requestId", id}};
    if (!reason.empty()) params["reason"] = reason;
    write_other(notification_line("notifications/cancelled", params), SendQueue::Full::go_on);
  }
  pending.complete(std::move(failure));
}

void Connection::forget(Pending& pending, Failure failure) {
  if (!pending.complete(std::move(failure))) return;
  pending_.take(pending.id);
  pending_.note_other_line();
}

void Connection::take(const LineReader::Line& line) {
  if (line.text.find_first_not_of(" \t\r") == std::string_view::npos) return;
  if (line.too_long) return take(too_long(line.text, options_.max_line, bounds()), line.text);
  auto incoming = jsonrpc::parse(line.text, bounds(), &kept_meta_);
  bool has_strange_answers = false;
  const auto take_one = [&](jsonrpc::Message&& message) {
    has_strange_answers |= std::holds_alternative<jsonrpc::Ignored>(message);
    take(std::move(message), line.text);
  };
  if (auto* batch = std::get_if<jsonrpc::Batch>(&incoming)) {
    for (jsonrpc::Message& message : *batch) take_one(std::move(message));
  } else {
    take_one(std::move(std::get<jsonrpc::Message>(incoming)));
  }
  if (has_strange_answers) take_as_meant(line.text);
}

void Connection::take(jsonrpc::Message&& message, std::string_view line) {
  if (auto* response = std::get_if<jsonrpc::Response>(&message)) return take(std::move(*response), line);
  if (auto* request = std::get_if<jsonrpc::Request>(&message)) return take(std::move(*request));
  if (auto* notification = std::get_if<jsonrpc::Notification>(&message)) return take(std::move(*notification));
  if (auto* malformed = std::get_if<jsonrpc::Malformed>(&message)) take(std::move(*malformed), line);
}

void Connection::take(jsonrpc::Response&& response, std::string_view line) {
  const auto id = own_id(response.id.key());
  if (!id) return tell_strange_answer(line, "an answer to what nobody has asked");
  if (response.id.text.starts_with('"'))
    tell_strange_answer(line, "the id of a request as a text; expected the number that it is");
  take_outcome(*id, outcome_of(std::move(response)));
}

/// Nobody waits for ever for an answer that came, however it was put.
void Connection::take_as_meant(std::string_view line) {
  for (MeantAnswer& answer : answers_meant_by(line, bounds())) {
    if (answer.is_nameless) {
      take_nameless(std::move(answer), line);
      continue;
    }
    tell_strange_answer(line, answer.reason);
    if (answer.id) take_outcome(*answer.id, std::move(answer.outcome));
  }
}

/// JSON-RPC has servers answer so to a request that they could not read. They do to notifications, too, and perhaps
/// late: it is taken only where it can be for nothing but one request, which would else wait until its deadline. (The
/// official SDKs for TypeScript and Python report such an error, and let all requests wait.)
void Connection::take_nameless(MeantAnswer&& answer, std::string_view line) {
  const auto only = pending_.only_one_to_fail();
  const bool is_for_it = only != nullptr && !send_queue_.holds(only->id) && pending_.take_answered(only->id) == only;
  tell_strange_answer(line, answer.reason + (is_for_it ? "; the only one that was under way fails with it"
                                                       : "; nobody can say for which, so all go on waiting"));
  if (is_for_it) finish(only, std::move(answer.outcome));
}

/// Once for each kind: a server that writes such answers writes no others.
void Connection::tell_strange_answer(std::string_view line, const std::string& reason) {
  if (options_.on_malformed && told_reasons_.insert(reason).second) tell_malformed(line, reason);
}

void Connection::take_outcome(std::int64_t id, Pending::Outcome outcome) {
  const auto pending = pending_.take_answered(id);
  if (pending == nullptr) return;  // cancelled, or given up on
  if (auto* const result = std::get_if<Json>(&outcome); result != nullptr && pending->intercept) {
    pending->awaits_no_answer = true;
    pending_.put_back(pending);  // before the interception, so that closing the connection meanwhile ends it too
    if (pending->intercept(*result)) return;
    pending_.take(id);
  }
  finish(pending, std::move(outcome));
}

void Connection::settle(const std::shared_ptr<Pending>& pending, Pending::Outcome outcome) {
  if (pending_.take(pending->id) != nullptr) finish(pending, std::move(outcome));
}

/// A result must not overtake reports of progress that wait for their turn.
void Connection::finish(const std::shared_ptr<Pending>& pending, Pending::Outcome outcome) {
  if (!pending->in_order) {
    pending->complete(std::move(outcome));
    return;
  }
  finishing_.put_back(pending);  // closing the connection drops the function below
  callbacks_.post([this, pending, result = std::move(outcome)]() mutable {
    finishing_.take(pending->id);
    pending->complete(std::move(result));
  });
}

void Connection::take(jsonrpc::Request&& request) {
  if (request.method == "ping") return answer(request);
  if (options_.on_request_later) return hand_over(std::move(request));
  questions_.post([this, asked = std::move(request)] { answer(asked); });
}

void Connection::answer(const jsonrpc::Request& request) {
  std::string line;
  try {
    line = result_line(request.id.text, answer_server(options_, request.method, request.params));
  } catch (const ProtocolError& error) {
    line = error_line(request.id.text, error.code, error.what(), error.data);
  } catch (const std::invalid_argument& error) {  // a number JSON cannot express
    line = error_line(request.id.text, error_code::internal_error, error.what(), nullptr);
  }
  write_other(line, SendQueue::Full::go_on);
}

void Connection::hand_over(jsonrpc::Request&& request) {
  auto send = [weak = weak_from_this(), id = std::move(request.id.text)](ServerRequest::Answer&& answer) {
    const auto self = weak.lock();
    if (self == nullptr) return;
    const auto* refused = std::get_if<ProtocolError>(&answer);
    self->write_other(refused == nullptr ? result_line(id, std::get<Json>(answer))
                                         : error_line(id, refused->code, refused->what(), refused->data),
                      SendQueue::Full::go_on);
  };
  try {
    options_.on_request_later({std::move(request.method), std::move(request.params), std::move(send)});
  } catch (...) {  // a function of the embedding program; the request was refused when it was dropped
  }
}

void Connection::take(jsonrpc::Notification&& notification) {
  const Json& params = notification.params;
  if (notification.method == "notifications/progress") return take_progress(params);
  if (take_of_subscription(notification.method, params)) return;
  if (!options_.on_notification) return;
  callbacks_.post_unless_full(
      [this, told = std::move(notification)] { options_.on_notification(told.method, told.params); },
      options_.max_waiting_notifications);
}

/// Returns whether it was for subscriptions alone.
bool Connection::take_of_subscription(const std::string& method, const Json& params) {
  const Addressee addressee = addressee_of(method, params);
  if (addressee.kind == Addressee::Kind::everybody) {
    for (const auto& pending : pending_.listening()) pending->on_notification(method, params);
    return false;
  }
  const auto pending = addressee.id ? pending_.find(*addressee.id) : nullptr;
  const bool is_known = pending != nullptr && pending->on_notification;
  if (addressee.kind == Addressee::Kind::subscription) {
    if (is_known) pending->awaits_no_answer = true;
    if (is_known) pending->on_notification(method, params);
    return true;
  }
  if (!is_known) return false;
  pending_.take(*addressee.id);
  pending->complete(Json{});
  return true;
}

void Connection::take_progress(const Json& params) {
  auto told = progress_of(params);
  const auto pending = told ? pending_.find(told->id) : nullptr;
  if (pending == nullptr || !pending->on_progress) return;
  callbacks_.post_unless_full(
      [pending, report = std::move(told->report)] {
        if (!pending->is_done()) pending->on_progress(report);
      },
      options_.max_waiting_notifications);
}

void Connection::take(jsonrpc::Malformed&& malformed, std::string_view line) {
  if (malformed_.empty()) malformed_ = std::string{line.substr(0, quoted_of_malformed)} + " (" + malformed.reason + ")";
  if (options_.on_malformed) tell_malformed(line, malformed.reason);
  const auto id = own_id(malformed.id_text);
  const auto pending = id ? pending_.take_answered(*id) : nullptr;
  if (pending != nullptr) finish(pending, unreadable(malformed.reason));
}

void Connection::tell_malformed(std::string_view line, const std::string& reason) {
  callbacks_.post_unless_full([this, beginning = std::string{line.substr(0, transport::LineSplitter::kept_of_too_long)},
                               reason] { options_.on_malformed(beginning, reason); },
                              options_.max_waiting_notifications);
}

void Connection::close() {
  closing_ = true;
  reader_.stop();
  send_queue_.close();
  deadlines_.stop();
  questions_.stop();
  callbacks_.stop();
  pending_.close("the client was closed");
  finishing_.close("the client was closed");
}

std::string Connection::why_it_ended(const std::string& failure) const {
  if (!failure.empty()) return "reading from the server failed: " + failure;
  if (closing_) return "the client was closed";
  std::string text = ending_.text();
  if (!malformed_.empty()) text += "\nit wrote to its standard output what is no message: " + malformed_;
  return text;
}

/// The reader can tell why, if it sees the end soon; threads of an engine do not wait for that.
void Connection::server_reads_no_more() {
  const std::string reason = "the server no longer reads its input";
  if (options_.engine != nullptr) {
    deadlines_.at(Clock::now() + for_the_end_of_input, [this, reason] { lose(reason); });
    return;
  }
  reader_.await_end(for_the_end_of_input);
  lose(reason);
}

void Connection::lose_once_explained(const std::string& failure, Clock::time_point until) {
  const bool is_waited_for = options_.engine != nullptr && failure.empty() && !closing_ && ending_.is_known &&
                             Clock::now() < until && !ending_.is_known();
  if (!is_waited_for) return lose(why_it_ended(failure));
  deadlines_.at(Clock::now() + between_looks, [this, until] { lose_once_explained({}, until); });
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
