#include "server/session.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>
#include <variant>

#include "json/parse.hpp"
#include "log/log.hpp"
#include "protocol/methods.hpp"
#include "runtime/batch_answers.hpp"
#include "server/route.hpp"
#include "system/later.hpp"

namespace toolwire::server {
namespace {

constexpr std::size_t parsed_at_once = std::size_t{64} << 10;  // bytes
constexpr std::size_t max_before_token = 4096;                 // bytes

std::string error_line(const jsonrpc::Malformed& malformed) {
  std::string line = R"({"jsonrpc":"2.0",)";
  if (!malformed.id_text.empty()) line.append("\"id\":").append(malformed.id_text).append(",");
  line.append("\"error\":");
  runtime::append_error(line, malformed.code, malformed.reason, {});
  return line.append("}");
}

/// In a time that tells nothing of how much of it is right.
bool is_token(std::string_view said, std::string_view token) {
  if (said.ends_with('\r')) said.remove_suffix(1);
  unsigned difference = said.size() == token.size() ? 0 : 1;
  for (std::size_t i = 0; i < said.size(); ++i) difference |= static_cast<unsigned>(said[i] ^ token[i % token.size()]);
  return difference == 0;
}

const std::shared_ptr<const Json> nothing;

bool is_blank(std::string_view line) {
  return !line.starts_with('{') && line.find_first_not_of(" \t\r") == std::string_view::npos;
}

bool expects_answer(const jsonrpc::Message& message) {
  return std::holds_alternative<jsonrpc::Request>(message) || std::holds_alternative<jsonrpc::Malformed>(message);
}

}  // namespace

Session::Session(protocol::Service& service, Transport& transport, std::shared_ptr<engine::Engine> engine,
                 Settings settings)
    : service_(service),
      transport_(transport),
      pollable_(dynamic_cast<transport::Pollable*>(&transport)),
      lines_(service.options.limits.line),
      bounds_{{service.options.limits.depth, service.options.limits.values}, service.options.limits.batch},
      engine_(std::move(engine)),
      ended_(std::move(settings.ended)),
      token_(std::move(settings.token)),
      admitted_(std::make_shared<std::atomic<bool>>(token_.empty())),
      connection_(std::make_shared<protocol::Connection>(service, transport, engine_, *this)) {
  connection_->peer = std::move(settings.peer);
}

void Session::attach(std::shared_ptr<void> keeps) {
  listener_ = service_.listen(*connection_);
  try {
    engine_->attach(connection_->channel, std::move(keeps));
  } catch (...) {
    service_.forget(listener_);
    throw;
  }
  if (!*admitted_) admit_in_time();
}

/// Whoever says nothing does not keep its place for ever.
void Session::admit_in_time() {
  connection_->channel->at(system::later<std::chrono::steady_clock>(service_.options.limits.identify),
                           [admitted = admitted_, weak = std::weak_ptr(connection_)] {
                             const auto connection = *admitted ? nullptr : weak.lock();
                             if (connection) connection->output.drop();
                           });
}

void Session::over() {
  connection_->in_flight.cancel_all();  // tasks that wait for an answer
  service_.forget(listener_);
  connection_->outgoing.close();
  connection_->output.close();
  if (ended_) ended_();
}

engine::Source::Outcome Session::wait_and_read() {
  const std::span<char> room = lines_.room();
  const std::ptrdiff_t count = transport_.read(room.data(), room.size());
  if (count == Transport::interrupted) return Outcome::nothing;
  connection_->channel->turn_begins();
  return take(count);
}

engine::Source::Outcome Session::read_at_once() {
  const std::span<char> room = lines_.room();
  const std::ptrdiff_t count = pollable_->read_at_once(room.data(), room.size());
  return count == Transport::interrupted ? Outcome::nothing : take(count);
}

engine::Source::Outcome Session::take(std::ptrdiff_t count) {
  if (count <= Transport::end_of_input) {
    at_end_ = true;
    return *admitted_ ? take_rest() : Outcome::ended;
  }
  lines_.added(static_cast<std::size_t>(count));
  return *admitted_ ? take_lines() : admit(static_cast<std::size_t>(count));
}

/// The first line is the token.
engine::Source::Outcome Session::admit(std::size_t bytes) {
  unadmitted_bytes_ += bytes;
  const auto line = lines_.next();
  if (!line && unadmitted_bytes_ <= max_before_token) return Outcome::more;
  if (line && !line->too_long && is_token(line->text, token_)) {
    *admitted_ = true;
    return take_lines();
  }
  connection_->output.append(
      error_line({"", error_code::invalid_request, "Invalid Request: the first line of a client has to be the token"}));
  return Outcome::ended;
}

/// Until a message is so large that parsing it would keep others waiting.
engine::Source::Outcome Session::take_lines() {
  while (const auto line = lines_.next()) {
    if (line->text.size() > parsed_at_once) return leave_for_later(*line);
    on_line(*line);
  }
  return Outcome::more;
}

engine::Source::Outcome Session::take_rest() {
  if (const auto line = lines_.rest()) {
    if (line->text.size() > parsed_at_once) return leave_for_later(*line);
    on_line(*line);
  }
  end_of_input();
  return Outcome::ended;
}

engine::Source::Outcome Session::leave_for_later(const transport::LineSplitter::Line& line) {
  large_ = line;
  return Outcome::large;
}

engine::Source::Outcome Session::go_on() {
  on_line(*std::exchange(large_, std::nullopt));
  return at_end_ ? take_rest() : take_lines();
}

/// No question will be answered and no one listens any more. Subscriptions end as the specification requires, with a
/// complete result.
void Session::end_of_input() {
  connection_->outgoing.close();
  connection_->end_subscriptions();
}

void Session::on_line(const transport::LineSplitter::Line& line) {
  if (line.too_long) {
    return connection_->output.append(error_line(
        {json::salvage_id(line.text).value_or(""), error_code::invalid_request,
         "Invalid Request: a line may have " + std::to_string(service_.options.limits.line) + " bytes at most"}));
  }
  if (is_blank(line.text)) return;
  try {
    // Only where there was no handshake does each request say who calls, mostly in the same words.
    json::KeptMember* const kept = connection_->negotiated == nullptr ? &kept_meta_ : nullptr;
    jsonrpc::Incoming incoming = jsonrpc::parse(line.text, bounds_, kept);
    if (auto* message = std::get_if<jsonrpc::Message>(&incoming)) return on_message(std::move(*message), nullptr);
    on_batch(std::move(std::get<jsonrpc::Batch>(incoming)));
  } catch (const std::bad_alloc&) {  // a request that had begun was answered when it was let go
    process::log(LogLevel::error, "there is no memory for a message of " + std::to_string(line.text.size()) + " bytes");
  }
}

/// Only one revision has batches; elsewhere an array is one invalid request, and none of its members is acted on.
void Session::on_batch(jsonrpc::Batch&& batch) {
  if (connection_->negotiated == nullptr || !connection_->negotiated->batches) {
    return on_message(
        jsonrpc::Malformed{{}, error_code::invalid_request, "Invalid Request: batches exist in 2025-03-26 only"},
        nullptr);
  }
  auto expected = static_cast<std::size_t>(std::count_if(batch.begin(), batch.end(), expects_answer));
  auto answers = std::make_shared<runtime::BatchAnswers>(connection_->output, expected);
  for (jsonrpc::Message& message : batch) on_message(std::move(message), answers);
}

void Session::on_message(jsonrpc::Message&& message, const std::shared_ptr<runtime::BatchAnswers>& batch) {
  if (auto* request = std::get_if<jsonrpc::Request>(&message)) return on(std::move(*request), batch);
  std::visit([&](auto& kind) { on(std::move(kind), batch); }, message);
}

void Session::on(jsonrpc::Request&& request, const std::shared_ptr<runtime::BatchAnswers>& batch) {
  const bool may_share = connection_->negotiated == nullptr;
  route(connection_, std::move(request), batch, batch != nullptr, may_share ? kept_meta_.shared() : nothing);
}

void Session::on(jsonrpc::Notification&& notification, const std::shared_ptr<runtime::BatchAnswers>&) {
  protocol::on_notification(*connection_, notification.method, notification.params.get_object());
}

void Session::on(jsonrpc::Response&& response, const std::shared_ptr<runtime::BatchAnswers>&) {
  connection_->outgoing.answered(std::move(response));
}

void Session::on(jsonrpc::Malformed&& malformed, const std::shared_ptr<runtime::BatchAnswers>& batch) {
  std::string line = error_line(malformed);
  batch ? batch->add(line) : connection_->output.append(std::move(line));
}

void Session::on(jsonrpc::Ignored&&, const std::shared_ptr<runtime::BatchAnswers>&) {}

}  // namespace toolwire::server
