#include "protocol/subscriptions/subscriptions.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "protocol/revision.hpp"
#include "toolwire/error.hpp"

namespace toolwire::protocol {
namespace {

std::string tagged(std::string_view method, const std::string& id_text, std::string_view more_params) {
  std::string line = R"({"jsonrpc":"2.0","method":")";
  line.append(method)
      .append("\",\"params\":{\"_meta\":{\"")
      .append(meta_key::subscription_id)
      .append("\":")
      .append(id_text)
      .append("}");
  if (!more_params.empty()) line.append(",").append(more_params);
  return line.append("}}");
}

}  // namespace

bool Subscriptions::has_room_for(const Filter& filter) const {
  std::size_t subjects = filter.subjects();
  for (const Subscription& subscription : open_) subjects += subscription.filter.subjects();
  return open_.size() < bound_ && subjects <= subjects_bound_;
}

void Subscriptions::open(std::shared_ptr<runtime::Call> call, Filter filter) {
  const MutexLock lock(mutex_);
  if (!has_room_for(filter)) forget_cancelled();
  if (!has_room_for(filter)) {
    throw ProtocolError(error_code::internal_error, "Internal error: at most " + std::to_string(bound_) +
                                                        " subscriptions may be open, to " +
                                                        std::to_string(subjects_bound_) + " resources in all");
  }
  // Only what was asked for and can be honoured is acknowledged.
  const std::string honoured = "\"notifications\":" + filter.text();
  const bool is_open = call->while_open(
      [&] { output_.append(tagged("notifications/subscriptions/acknowledged", call->id().text, honoured)); });
  if (is_open) open_.push_back({std::move(call), std::move(filter)});
}

void Subscriptions::tell(const Change& change) {
  const MutexLock lock(mutex_);
  forget_cancelled();
  const std::string_view method = traits_of(change.topic).method;
  for (const Subscription& subscription : open_) {
    if (!subscription.filter.wants(change)) continue;
    const std::string& id = subscription.call->id().text;
    std::string kind = id;
    kind.append("\n").append(method).append("\n").append(change.subject);
    newest_.append(std::move(kind), tagged(method, id, change.params), subscription.call);
  }
}

std::vector<std::shared_ptr<runtime::Call>> Subscriptions::take_all() {
  const MutexLock lock(mutex_);
  newest_.release_all();
  std::vector<std::shared_ptr<runtime::Call>> calls;
  for (Subscription& subscription : open_) calls.push_back(std::move(subscription.call));
  open_.clear();
  return calls;
}

void Subscriptions::forget_cancelled() {
  const auto is_over = [](const Subscription& subscription) { return subscription.call->is_over(); };
  if (std::erase_if(open_, is_over) > 0) newest_.forget_closed();
}

}  // namespace toolwire::protocol
