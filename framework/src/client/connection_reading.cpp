#include <charconv>
#include <utility>

#include <toolwire/json_members.hpp>

#include "client/connection.hpp"
#include "client/lines.hpp"
#include "client/server_requests.hpp"

namespace toolwire::client {
namespace {

constexpr std::size_t quoted_of_malformed = 200;

/// Our own ids are integers; null for any other.
std::optional<std::int64_t> own_id(std::string_view key) {
  std::int64_t id = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), id);
  if (error != std::errc{} || end != key.data() + key.size()) return std::nullopt;
  return id;
}

std::optional<std::int64_t> own_id(const Json* value) {
  if (value == nullptr) return std::nullopt;
  const auto key = jsonrpc::key_of(*value);
  return key ? own_id(*key) : std::nullopt;
}

std::optional<double> number(const Json* value) {
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->to_number<double>();
}

std::string text(const Json* value) {
  return value != nullptr && value->is_string() ? std::string{value->get_string()} : std::string{};
}

Failure refusal(const Json& error) {
  const Json* code = find_member(error, "code");
  const Json* data = find_member(error, "data");
  if (code == nullptr || !code->is_int64())
    return {.kind = Failure::Kind::refused,
            .text = "the server sent an error without an integer code: " + to_json_text(error),
            .code = error_code::internal_error};
  return {.kind = Failure::Kind::refused,
          .text = text(find_member(error, "message")),
          .code = static_cast<int>(code->get_int64()),
          .data = data == nullptr ? Json{} : *data};
}

}  // namespace

void Connection::read_lines() {
  try {
    lines_.emplace(options_.max_line);
    while (read_some()) {
      take_lines();
      if (lendable_ != nullptr && !closing_) lend_input();
    }
    if (const auto line = lines_->rest(); line && !closing_) take(*line);
    lose(why_it_ended());
  } catch (const std::exception& error) {  // out of memory, most likely
    lose(std::string{"reading from the server failed: "} + error.what());
  }
  const std::lock_guard lock{ending_};
  reading_ = false;
  reader_gone_.notify_all();
}

/// Comes back when this thread has to see to its input itself.
void Connection::lend_input() {
  transport::ReadAlong::of_process().lend(*this, lendable_->awaited());
  if (!reading_failed_.empty()) throw std::runtime_error(reading_failed_);
}

bool Connection::read_along() {
  if (closing_) return false;
  try {
    const auto room = lines_->room();
    const std::ptrdiff_t count = lendable_->read_at_once(room.data(), room.size());
    if (count <= 0) return false;
    lines_->added(static_cast<std::size_t>(count));
    take_lines();
    return true;
  } catch (const std::exception& error) {
    reading_failed_ = error.what();
    return false;
  }
}

void Connection::take_lines() {
  while (const auto line = lines_->next()) take(*line);
}

bool Connection::read_some() {
  const auto room = lines_->room();
  while (!closing_) {
    const std::ptrdiff_t count = transport_.read(room.data(), room.size());
    if (count == Transport::end_of_input) return false;
    if (count == Transport::interrupted) continue;
    lines_->added(static_cast<std::size_t>(count));
    return true;
  }
  return false;
}

std::string Connection::why_it_ended() const {
  if (closing_) return "the client was closed";
  std::string text = how_it_ended_();
  if (!malformed_.empty()) text += "\nit wrote to its standard output what is no message: " + malformed_;
  return text;
}

void Connection::take(const transport::LineSplitter::Line& line) {
  if (line.text.find_first_not_of(" \t\r") == std::string_view::npos) return;
  if (line.too_long) {
    const std::string reason = "the line is longer than " + std::to_string(options_.max_line) + " bytes";
    // Reads as far as its id, which is all that can be had of it.
    auto beginning = jsonrpc::parse(line.text, options_.max_depth);
    const auto* message = std::get_if<jsonrpc::Message>(&beginning);
    const auto* cut = message == nullptr ? nullptr : std::get_if<jsonrpc::Malformed>(message);
    return take(jsonrpc::Malformed{.id_text = cut == nullptr ? "" : cut->id_text, .code = 0, .reason = reason},
                line.text);
  }
  auto incoming = jsonrpc::parse(line.text, options_.max_depth);
  if (auto* batch = std::get_if<jsonrpc::Batch>(&incoming)) {
    for (jsonrpc::Message& message : *batch) take(std::move(message), line.text);
  } else {
    take(std::move(std::get<jsonrpc::Message>(incoming)), line.text);
  }
}

void Connection::take(jsonrpc::Message&& message, std::string_view line) {
  if (auto* response = std::get_if<jsonrpc::Response>(&message)) return take(std::move(*response));
  if (auto* request = std::get_if<jsonrpc::Request>(&message)) return take(std::move(*request));
  if (auto* notification = std::get_if<jsonrpc::Notification>(&message)) return take(std::move(*notification));
  if (auto* malformed = std::get_if<jsonrpc::Malformed>(&message)) take(std::move(*malformed), line);
}

void Connection::take(jsonrpc::Response&& response) {
  const auto id = own_id(response.id.key());
  const auto pending = id ? pending_.take(*id) : nullptr;
  if (pending == nullptr) return;  // cancelled, or given up on
  if (response.is_error) return finish(pending, refusal(response.outcome));
  // Back before the interception, so that closing the connection meanwhile ends it too.
  if (pending->intercept) pending_.put_back(pending);
  if (pending->intercept && pending->intercept(response.outcome)) return;
  pending_.take(*id);
  finish(pending, std::move(response.outcome));
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
  send_queue_.write(line, SendQueue::Full::go_on);
}

void Connection::hand_over(jsonrpc::Request&& request) {
  auto send = [weak = weak_from_this(), id = std::move(request.id.text)](ServerRequest::Answer&& answer) {
    const auto self = weak.lock();
    if (self == nullptr) return;
    const auto* refused = std::get_if<ProtocolError>(&answer);
    self->send_queue_.write(refused == nullptr ? result_line(id, std::get<Json>(answer))
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

bool Connection::take_of_subscription(const std::string& method, const Json& params) {
  const Json* meta = find_member(params, "_meta");
  if (const Json* subscription = meta == nullptr ? nullptr : find_member(*meta, protocol::meta_key::subscription_id)) {
    const auto id = own_id(subscription);
    const auto pending = id ? pending_.find(*id) : nullptr;
    if (pending != nullptr && pending->on_notification) pending->on_notification(method, params);
    return true;
  }
  if (method == "notifications/cancelled") {  // 2026-07-28 basic/patterns/cancellation: the server ends a subscription
    const auto id = own_id(find_member(params, "requestId"));
    const auto pending = id ? pending_.find(*id) : nullptr;
    if (pending == nullptr || !pending->on_notification) return false;
    pending_.take(*id);
    pending->complete(Json{});
    return true;
  }
  for (const auto& pending : pending_.listening()) pending->on_notification(method, params);
  return false;
}

void Connection::take_progress(const Json& params) {
  const auto id = own_id(find_member(params, "progressToken"));
  const auto pending = id ? pending_.find(*id) : nullptr;
  const auto progress = number(find_member(params, "progress"));
  if (pending == nullptr || !pending->on_progress || !progress) return;
  ProgressReport report{.progress = *progress,
                        .total = number(find_member(params, "total")),
                        .message = text(find_member(params, "message"))};
  callbacks_.post_unless_full(
      [pending, told = std::move(report)] {
        if (!pending->is_done()) pending->on_progress(told);
      },
      options_.max_waiting_notifications);
}

void Connection::take(jsonrpc::Malformed&& malformed, std::string_view line) {
  const std::string beginning{line.substr(0, transport::LineSplitter::kept_of_too_long)};
  if (malformed_.empty()) malformed_ = beginning.substr(0, quoted_of_malformed) + " (" + malformed.reason + ")";
  if (options_.on_malformed) {
    callbacks_.post_unless_full(
        [this, beginning, reason = malformed.reason] { options_.on_malformed(beginning, reason); },
        options_.max_waiting_notifications);
  }
  const auto id = own_id(malformed.id_text);
  const auto pending = id ? pending_.take(*id) : nullptr;
  if (pending == nullptr) return;
  finish(pending, Failure{.kind = Failure::Kind::refused,
                          .text = "the server's answer cannot be read: " + malformed.reason,
                          .code = error_code::parse_error});
}

}  // namespace toolwire::client
