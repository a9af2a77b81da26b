#include "protocol/on_engine.hpp"

#include <new>
#include <utility>

#include "engine/job.hpp"

namespace toolwire::protocol {
namespace {

class ExchangeJob final : public engine::Job {
 public:
  ExchangeJob(Exchange&& exchange, void (*work)(Exchange&&)) : exchange_(std::move(exchange)), work_(work) {}

  void run() override {
    // These outlive the exchange, which is gone when `work` throws; the connection must outlive the call.
    const auto connection = exchange_.connection;
    const auto call = exchange_.call;
    try {
      work_(std::move(exchange_));
    } catch (const ProtocolError& error) {
      fail(*call, error);
    } catch (const std::bad_alloc&) {
      fail_without_memory(*call);
    }
  }
  bool is_over() const override { return exchange_.call->is_over(); }

 private:
  Exchange exchange_;
  void (*work_)(Exchange&&);
};

}  // namespace

bool engine_has_room(const Exchange& exchange) {
  const Connection& connection = *exchange.connection;
  return connection.channel->queued_bytes() + exchange.bytes <= connection.service.options.limits.queued_bytes;
}

bool run_on_engine(Exchange& exchange, void (*work)(Exchange&&)) {
  if (!engine_has_room(exchange)) return false;
  engine::Channel& channel = *exchange.connection->channel;
  const std::size_t bytes = exchange.bytes;
  channel.enqueue(std::make_shared<ExchangeJob>(std::move(exchange), work), bytes);
  return true;
}

void throw_busy() {
  throw ProtocolError(error_code::internal_error, "Internal error: too many requests are unanswered; try again shortly",
                      JsonObject{{"code", "busy"}, {"retryable", true}, {"retryAfterMs", 100}});
}

}  // namespace toolwire::protocol
