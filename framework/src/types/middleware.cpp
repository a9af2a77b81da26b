#include "toolwire/middleware.hpp"

#include <atomic>

namespace toolwire {

struct Next::Steps {
  Steps(GoOn on, Reply with) : go_on(std::move(on)), reply(std::move(with)) {}
  GoOn go_on;
  Reply reply;  // destroyed unused, it answers with an error
  std::atomic<bool> used{false};
};

Next::Next(GoOn go_on, Reply reply) : steps_(std::make_shared<Steps>(std::move(go_on), std::move(reply))) {}

bool Next::take() { return !steps_->used.exchange(true); }

void Next::then(Look look) {
  if (!take()) return;
  GoOn go_on = std::move(steps_->go_on);
  steps_->reply.release();
  go_on(std::move(look));
}

void Next::answer_with(AnyOutcome&& outcome) { steps_->reply(std::move(outcome)); }

}  // namespace toolwire
