// What stands around every tool call: logging, metrics, caching, authorization. One function, for tools of every kind.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "toolwire/context.hpp"
#include "toolwire/result.hpp"
#include "toolwire/tool.hpp"

namespace toolwire {

/// A call on its way to its tool. `arguments` may be changed; they are checked after the middleware.
struct CallRequest {
  std::string tool;
  Json arguments;
  const ToolInfo& info;
};

/// The rest of the chain. Use it once, now or later: `next()` continues, `next.then(look)` continues and calls `look`
/// with the outcome before it is sent (on the thread that answers), `next.answer(outcome)` answers without running the
/// tool. Dropped unused, the call is answered with an error. Copies share the one use.
class Next {
 public:
  using Look = std::function<void(AnyOutcome&)>;
  using GoOn = std::function<void(Look)>;

  Next(GoOn go_on, Reply reply);
  void operator()() { then(nullptr); }
  void then(Look look);
  template <class T>
  void answer(T&& value) {
    if (take()) answer_with(to_outcome(std::forward<T>(value)));
  }

 private:
  struct Steps;
  bool take();
  void answer_with(AnyOutcome&& outcome);
  std::shared_ptr<Steps> steps_;
};

using Middleware = std::function<void(CallRequest&, Context&, Next)>;

}  // namespace toolwire
