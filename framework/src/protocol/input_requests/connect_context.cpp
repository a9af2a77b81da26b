#include "protocol/input_requests/connect_context.hpp"

#include "protocol/input_requests/input_requests.hpp"
#include "protocol/tasks/task.hpp"

namespace toolwire::protocol {

void connect_context(Context& context, const Exchange& exchange, CallLog& log,
                     const std::shared_ptr<Progress>& progress) {
  context.stop_by(*exchange.call);
  context.log_to(&log);
  context.ask_by(asker_of(exchange));
  context.called_by(exchange.client_info());
  if (progress) {
    context.report_progress_to([progress](double done, std::optional<double> total, std::string_view message) {
      progress->report(done, total, message);
    });
  } else if (exchange.task != nullptr) {
    context.report_progress_to(reporter_of(exchange));
  }
}

}  // namespace toolwire::protocol
