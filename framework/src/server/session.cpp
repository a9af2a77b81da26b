#include "server/session.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "json/parse.hpp"
#include "protocol/busy.hpp"
#include "protocol/identification.hpp"
#include "protocol/methods.hpp"
#include "protocol/on_crew.hpp"
#include "runtime/batch_answers.hpp"

namespace toolwire::server {
namespace {

std::string error_line(const jsonrpc::Malformed& malformed) {
  std::string line = R"({"jsonrpc":"2.0",)";
  if (!malformed.id_text.empty()) line.append("\"id\":").append(malformed.id_text).append(",");
  line.append("\"error\":");
  runtime::append_error(line, malformed.code, malformed.reason, {});
  return line.append("}");
}

bool expects_answer(const jsonrpc::Message& message) {
  return std::holds_alternative<jsonrpc::Request>(message) || std::holds_alternative<jsonrpc::Malformed>(message);
}

/// A request the table of calls would not take: an id in use, or too many calls.
void refuse(const protocol::Exchange& exchange, runtime::InFlight::Refusal refusal, const std::string& method) {
  if (refusal == runtime::InFlight::Refusal::id_in_use) {
    throw ProtocolError(error_code::invalid_request,
                        "Invalid Request: this id is that of a request that is not answered yet");
  }
  if (method == "tools/call") return protocol::refuse_busy(exchange);
  protocol::throw_busy();
}

}  // namespace

Session::Session(protocol::Service& service, Transport& transport, Settings settings)
    : service_(service), transport_(transport), lines_(service.options.limits.line) {
  runtime::Crew::Steps steps{
      .read = [this] { return read_turn(); },
      .all_answered = [this] { return connection_->in_flight.unsettled() == 0; },
      .cancel_all =
          [this] {
            read_alone();
            connection_->in_flight.cancel_all();
          },
      .interrupt_read =
          [this] {
            transport_.interrupt();
            if (reads_along_) along_.interrupt();
          },
      .input_closed = [this] { return transport_.input_closed(); },
      .reading_pauses = [this] { read_alone(); },
      .at_rest =
          [this] {
            if (reads_along_) along_.quiet();
          },
      .abandon = std::move(settings.abandon),
  };
  runtime::Crew::Settings crew{
      .threads = service.options.threads, .drain = service.options.limits.drain, .take_signals = settings.take_signals};
  connection_ = std::make_shared<protocol::Connection>(service, transport, std::move(steps), crew);
  const auto* waits = dynamic_cast<const transport::WaitsForDescriptor*>(&transport);
  if (waits != nullptr && service.options.threads > 0) own_input_ = waits->awaited_descriptor();
}

void Session::run() {
  auto listener = service_.listen(*connection_);
  connection_->crew.run();
  read_alone();
  connection_->in_flight.cancel_all();  // tasks that wait for an answer
  service_.forget(listener);
  connection_->outgoing.close();
  connection_->output.close();
}

runtime::Crew::Turn Session::read_turn() {
  using What = transport::ReadAlong::Ready::What;
  if (!reads_along() || along_.may_wait_alone()) return read_own();
  const auto ready = along_.wait();
  if (ready.what == What::interrupted) return runtime::Crew::Turn::interrupted;
  along_.not_alone();
  if (ready.what == What::own) return read_own();
  connection_->crew.other_turn_begins();
  along_.read(ready.which);
  return runtime::Crew::Turn::other;
}

/// Begins and ends as other inputs need it. Alone, a plain read is the fastest way.
bool Session::reads_along() {
  if (own_input_ < 0) return false;
  const bool wished_for = along_.is_wished_for();
  if (wished_for == reads_along_) return wished_for;
  if (!wished_for) {
    read_alone();
  } else if (along_.begin(own_input_)) {
    reads_along_ = true;
  } else {
    own_input_ = -1;
  }
  return reads_along_;
}

void Session::read_alone() {
  if (reads_along_.exchange(false)) along_.end();
}

runtime::Crew::Turn Session::read_own() {
  std::span<char> room = lines_.room();
  std::ptrdiff_t count = transport_.read(room.data(), room.size());
  if (reads_along_) along_.not_alone();
  if (count == Transport::interrupted) return runtime::Crew::Turn::interrupted;
  connection_->crew.turn_begins();
  if (count <= Transport::end_of_input) {
    read_alone();
    if (auto rest = lines_.rest()) on_line(*rest);
    end_of_input();
    return runtime::Crew::Turn::ended;
  }
  lines_.added(static_cast<std::size_t>(count));
  while (auto line = lines_.next()) on_line(*line);
  return runtime::Crew::Turn::more;
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
  if (line.text.find_first_not_of(" \t\r") == std::string_view::npos) return;
  jsonrpc::Incoming incoming = jsonrpc::parse(line.text, service_.options.limits.depth);
  if (auto* message = std::get_if<jsonrpc::Message>(&incoming)) return on_message(std::move(*message), nullptr);
  on_batch(std::move(std::get<jsonrpc::Batch>(incoming)));
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
  std::visit([&](auto& kind) { on(std::move(kind), batch); }, message);
}

void Session::on(jsonrpc::Request&& request, const std::shared_ptr<runtime::BatchAnswers>& batch) {
  auto begun = connection_->in_flight.begin(std::move(request.id), batch);
  protocol::Exchange exchange{.connection = connection_,
                              .call = std::move(begun.call),
                              .params = std::move(request.params),
                              .legacy_client = connection_->legacy_client,
                              .bytes = request.bytes,
                              .in_batch = batch != nullptr};
  try {
    if (!request.params_usable)
      throw ProtocolError(error_code::invalid_params, "Invalid params: \"params\" must be an object");
    exchange.meta_member = exchange.arguments().if_contains("_meta");
    exchange.revision = protocol::revision_of(request.method, exchange.meta_member, connection_->negotiated);
    protocol::MethodHandler handle = protocol::find_method(request.method, exchange.revision, service_.offered());
    if (handle == nullptr) throw ProtocolError(error_code::method_not_found, "Method not found");
    if (begun.refusal != runtime::InFlight::Refusal::none) return refuse(exchange, begun.refusal, request.method);
    if (service_.options.identify) return protocol::identify(std::move(exchange), request.method, handle);
    handle(std::move(exchange));
  } catch (const ProtocolError& error) {
    exchange.fail(error);
  }
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
