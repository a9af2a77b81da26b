#include "protocol/logging/call_log.hpp"

#include <algorithm>

#include "json/writer.hpp"
#include "protocol/tasks/task.hpp"

namespace toolwire::protocol {
namespace {

/// Of a modern request; revision_of has refused names that are no level. Extension tasks: nothing is logged for a task.
unsigned char level_asked_for(const Exchange& exchange) {
  if (exchange.task != nullptr) return Connection::log_nothing;
  const Json* name = exchange.meta().if_contains(meta_key::log_level);
  if (name == nullptr || !exchange.connection->service.offered().has(Feature::logging)) return Connection::log_nothing;
  auto level = log_level_named(name->is_string() ? std::string_view(name->get_string()) : std::string_view());
  return level ? static_cast<unsigned char>(*level) : Connection::log_nothing;
}

}  // namespace

CallLog::CallLog(const Exchange& exchange)
    : exchange_(exchange),
      own_level_(exchange.revision->modern ? level_asked_for(exchange) : Connection::log_nothing),
      least_(exchange.revision->modern ? &own_level_ : &exchange.connection->log_level) {}

void CallLog::log(LogLevel level, const Json& data, std::string_view logger) {
  if (!wants(level) || exchange_.call->is_over()) return;
  exchange_.connection->wait_for_room(exchange_.call->stop_token());
  const MutexLock lock(mutex_);
  if (!may_send()) {
    dropped_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  tell_dropped();
  send(level, data, logger);
}

void CallLog::close() {
  if (dropped_.load(std::memory_order_relaxed) == 0) return;
  const MutexLock lock(mutex_);
  tell_dropped();
}

bool CallLog::may_send() {
  auto now = Clock::now();
  if (now - second_began_ >= std::chrono::seconds(1)) {
    second_began_ = now;
    sent_ = 0;
  }
  return ++sent_ <= std::max<std::size_t>(exchange_.connection->service.options.limits.log_per_second, 1);
}

/// At level warning, or at the client's level if that is more severe, so that every listening client receives it.
void CallLog::tell_dropped() {
  const std::size_t dropped = dropped_.exchange(0, std::memory_order_relaxed);
  if (dropped == 0) return;
  auto level = std::max(static_cast<unsigned char>(LogLevel::warning), least_->load(std::memory_order_relaxed));
  if (level == Connection::log_nothing) return;
  send(static_cast<LogLevel>(level), Json(std::to_string(dropped) + " log messages were dropped: too many in a second"),
       "toolwire");
}

void CallLog::send(LogLevel level, const Json& data, std::string_view logger) {
  std::string line = R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":")";
  line.append(name_of(level)).append("\"");
  if (!logger.empty()) {
    line.append(",\"logger\":");
    json::write_string(line, logger);
  }
  line.append(",\"data\":");
  json::write(line, data);
  if (exchange_.task != nullptr) line.append(",\"_meta\":").append(to_json_text(exchange_.task->related()));
  line.append("}}");
  Connection& connection = *exchange_.connection;
  bool sent = exchange_.call->while_open([&] { connection.output.append(std::move(line)); });
  if (sent) connection.output.flush(Transport::Blocking::no);  // the tool keeps running: its thread will not flush soon
}

}  // namespace toolwire::protocol
