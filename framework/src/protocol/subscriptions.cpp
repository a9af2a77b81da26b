#include "protocol/subscriptions.hpp"

#include <string>

#include "protocol/handlers.hpp"
#include "protocol/methods.hpp"

namespace toolwire::protocol {
namespace {

std::string tagged(std::string_view method, const std::string& id_text, std::string_view more_params) {
  std::string line = R"({"jsonrpc":"2.0","method":")";
  line.append(method)
      .append("\",\"params\":{\"_meta\":{\"")
      .append(meta_key::subscription_id)
      .append("\":")
      .append(id_text);
  return line.append("}").append(more_params).append("}}");
}

bool wants(const JsonObject& filter, std::string_view member) {
  const Json* value = filter.if_contains(member);
  if (value == nullptr) return false;
  if (!value->is_bool()) {
    throw ProtocolError(error_code::invalid_params,
                        "Invalid params: notifications." + std::string(member) + " must be a boolean");
  }
  return value->get_bool();
}

}  // namespace

void Subscriptions::open(std::shared_ptr<runtime::Call> call, bool tools_list_changed) {
  std::lock_guard lock(mutex_);
  if (open_.size() >= bound_) forget_cancelled();
  if (open_.size() >= bound_) {
    throw ProtocolError(error_code::internal_error,
                        "Internal error: " + std::to_string(bound_) + " subscriptions are open already");
  }
  // Only what was asked for and can be honoured is acknowledged.
  std::string_view honoured =
      tools_list_changed ? R"(,"notifications":{"toolsListChanged":true})" : R"(,"notifications":{})";
  bool is_open = call->while_open(
      [&] { output_.append(tagged("notifications/subscriptions/acknowledged", call->id().text, honoured)); });
  if (is_open) open_.push_back({std::move(call), tools_list_changed});
}

void Subscriptions::tools_changed() {
  std::lock_guard lock(mutex_);
  forget_cancelled();
  for (const Subscription& subscription : open_) {
    if (!subscription.tools_list_changed) continue;
    subscription.call->while_open(
        [&] { output_.append(tagged("notifications/tools/list_changed", subscription.call->id().text, "")); });
  }
}

std::vector<std::shared_ptr<runtime::Call>> Subscriptions::take_all() {
  std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<runtime::Call>> calls;
  for (Subscription& subscription : open_) calls.push_back(std::move(subscription.call));
  open_.clear();
  return calls;
}

void Subscriptions::forget_cancelled() {
  std::erase_if(open_, [](const Subscription& subscription) { return subscription.call->is_over(); });
}

void listen(Exchange&& exchange) {
  // Its answer comes at the end of the session, so the others of a batch would have to wait for it.
  if (exchange.in_batch) {
    throw ProtocolError(error_code::invalid_request, "Invalid Request: subscriptions/listen must not be in a batch");
  }
  const Json* filter = exchange.arguments().if_contains("notifications");
  if (filter == nullptr || !filter->is_object()) {
    throw ProtocolError(error_code::invalid_params, "Invalid params: \"notifications\" must be an object");
  }
  bool tools_list_changed = wants(filter->get_object(), "toolsListChanged");
  Connection& connection = *exchange.connection;
  connection.subscriptions.open(exchange.call, tools_list_changed);
  connection.in_flight.settle(*exchange.call);
}

void close_subscriptions(Connection& connection) {
  for (const auto& call : connection.subscriptions.take_all()) {
    call->answer([&](std::string& out) {
      out.append(R"({"resultType":"complete",)").append(connection.service.result_meta_text()).append(",\"");
      out.append(meta_key::subscription_id).append("\":").append(call->id().text).append("}}");
    });
  }
}

}  // namespace toolwire::protocol
