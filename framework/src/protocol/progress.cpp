#include "protocol/progress.hpp"

#include <algorithm>
#include <cmath>

#include "json/writer.hpp"
#include "protocol/tasks/task.hpp"

namespace toolwire::protocol {

Progress::Progress(std::shared_ptr<Connection> connection, std::shared_ptr<runtime::Call> call,
                   const Revision& revision, std::string token_text, std::string meta_text)
    : connection_(std::move(connection)),
      call_(std::move(call)),
      revision_(revision),
      token_text_(std::move(token_text)),
      meta_text_(std::move(meta_text)),
      interval_(std::chrono::nanoseconds(std::chrono::seconds(1)) /
                static_cast<std::int64_t>(
                    std::max<std::size_t>(connection_->service.options.limits.progress_per_second, 1))) {}

void Progress::report(double done, std::optional<double> total, std::string_view message) {
  if (call_->is_over()) return;
  connection_->wait_for_room(call_->stop_token());
  const MutexLock lock(mutex_);
  if (!std::isfinite(done) || (last_ && done <= *last_)) return;
  last_ = done;
  held_back_ = line(done, total, message);
  if (Clock::now() >= next_) {
    send(std::exchange(held_back_, {}));
  } else if (!armed_) {
    arm();
  }
}

void Progress::send_held_back() {
  const MutexLock lock(mutex_);
  armed_ = false;
  if (!held_back_.empty()) send(std::exchange(held_back_, {}));
}

void Progress::arm() {
  armed_ = true;
  connection_->channel->at(next_, [weak = weak_from_this()] {
    if (auto self = weak.lock()) self->send_held_back();
  });
}

void Progress::send(std::string&& text) {
  next_ = Clock::now() + interval_;
  bool sent = call_->while_open([&] { connection_->output.append(std::move(text)); });
  if (sent)
    connection_->output.flush(Transport::Blocking::no);  // the tool keeps running: its thread will not flush soon
}

std::string Progress::line(double done, std::optional<double> total, std::string_view message) const {
  std::string text = R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)";
  text.append(token_text_).append(",\"progress\":");
  json::write_double(text, done);
  if (total && std::isfinite(*total)) {
    text.append(",\"total\":");
    json::write_double(text, *total);
  }
  if (!message.empty() && revision_.progress_message) {
    text.append(",\"message\":");
    json::write_string(text, message);
  }
  if (!meta_text_.empty()) text.append(",\"_meta\":").append(meta_text_);
  return text.append("}}");
}

std::shared_ptr<Progress> progress_of(const Exchange& exchange) {
  const Json* token = exchange.meta().if_contains("progressToken");
  // Extension tasks: progress is not sent for a task; in 2025-11-25 the token stays valid.
  if (token == nullptr || (exchange.task != nullptr && exchange.revision->modern)) return nullptr;
  if (!jsonrpc::key_of(*token)) {
    throw ProtocolError(error_code::invalid_params,
                        "Invalid params: _meta.progressToken must be a string or an integer");
  }
  return std::make_shared<Progress>(exchange.connection, exchange.call, *exchange.revision, to_json_text(*token),
                                    exchange.task != nullptr ? to_json_text(exchange.task->related()) : std::string());
}

}  // namespace toolwire::protocol
