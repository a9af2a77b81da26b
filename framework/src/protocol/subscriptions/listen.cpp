// The beginning of subscriptions/listen.
#include "protocol/handlers.hpp"
#include "protocol/subscriptions/filter.hpp"
#include "protocol/tasks/task_request.hpp"

namespace toolwire::protocol {
namespace {

void open(const Exchange& exchange, Filter&& filter) {
  Connection& connection = *exchange.connection;
  connection.subscriptions.open(exchange.call, std::move(filter));
  connection.in_flight.settle(*exchange.call);
  connection.flush_from_outside();
}

/// Opens the subscription without the tasks that do not exist.
struct OpenForTasks {
  Filter filter;
  std::vector<std::string> ids;  // not looked up yet

  void operator()(TaskRequest& request) {
    for (; !ids.empty(); ids.pop_back()) {
      const std::optional<bool> exists = request.exists(ids.back());
      if (!exists) return;
      if (!*exists) filter.remove(Topic::task, ids.back());
    }
    open(request.exchange(), std::move(filter));
  }
};

}  // namespace

void listen(Exchange&& exchange) {
  // Its answer comes at the end of the session, so the others of a batch would have to wait for it.
  if (exchange.in_batch) {
    throw ProtocolError(error_code::invalid_request, "Invalid Request: subscriptions/listen must not be in a batch");
  }
  Filter filter = filter_in(exchange);
  std::vector<std::string> tasks = filter.subjects_of(Topic::task);
  if (tasks.empty()) return open(exchange, std::move(filter));
  TaskRequest::begin(std::move(exchange), OpenForTasks{std::move(filter), std::move(tasks)});
}

}  // namespace toolwire::protocol
