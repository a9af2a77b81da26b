#include "protocol/input_requests/connect_context.hpp"

#include "protocol/input_requests/input_requests.hpp"
#include "protocol/tasks/task.hpp"
#include "toolwire/detail/context_builder.hpp"

namespace toolwire::protocol {

void connect_context(Context& context, const Exchange& exchange, CallLog& log,
                     const std::shared_ptr<Progress>& progress) {
  detail::ContextBuilder builder(context);
  builder.stop_by(*exchange.call);
  builder.log_to(log);
  builder.ask_by(asker_of(exchange));
  builder.called_by(exchange.client_info());
  builder.identified_as(exchange.principal());
  builder.within(exchange.connection->session);
  if (const auto& peer = exchange.connection->peer) builder.connected_by(peer->process);
  if (progress) {
    builder.report_progress_to([progress](double done, std::optional<double> total, std::string_view message) {
      progress->report(done, total, message);
    });
  } else if (exchange.task != nullptr) {
    builder.report_progress_to(reporter_of(exchange));
  }
}

}  // namespace toolwire::protocol
