#include "policy/start_contained.hpp"

#include <atomic>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include <toolwire/error.hpp>
#include <toolwire/result_checks.hpp>

namespace toolwire::bridge {
namespace {

/// Keeps the Reply: the one given to an Activity is destroyed when it throws.
struct SharedReply {
  explicit SharedReply(Reply given) : reply(std::move(given)) {}
  void answer(AnyOutcome&& outcome) {
    if (!used.exchange(true)) reply(std::move(outcome));
  }
  Reply reply;
  std::atomic<bool> used{false};
};

}  // namespace

void start_contained(Activity& activity, const Call& call, ActivityContext& context, Reply reply) {
  const std::string tool = call.tool;  // the call is destroyed once it is answered
  auto shared = std::make_shared<SharedReply>(std::move(reply));
  try {
    activity.start(call, context, Reply([shared](AnyOutcome&& outcome) { shared->answer(std::move(outcome)); }));
  } catch (const ProtocolError& error) {
    shared->answer(AnyOutcome(error));
  } catch (...) {
    shared->answer(result_of_exception(std::current_exception(), tool));
  }
}

}  // namespace toolwire::bridge
