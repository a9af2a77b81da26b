// Functions that stand around requests, for logging, metrics, caching or authorization: around every call of a tool
// (Middleware, Server::around_call), or around tools, prompts, resources and lists alike (RequestMiddleware,
// Server::around_request). Independent of revisions and the wire.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "toolwire/context.hpp"
#include "toolwire/prompt.hpp"
#include "toolwire/resource.hpp"
#include "toolwire/result.hpp"
#include "toolwire/tool.hpp"

namespace toolwire {

/// A call on its way to its tool. `arguments` may be changed; they are checked after the middleware.
struct CallRequest {
  const std::string& tool;
  Json& arguments;
  const ToolInfo& info;
};

/// Sees a call that is refused before any middleware sees it, because its tool or its caller has had its calls for this
/// minute, or nobody can tell: `answer` is what the client gets. For audits and metrics; any thread, must not wait.
using RefusedLook = std::function<void(const CallRequest& call, Context& context, const ToolResult& answer)>;

enum class RequestKind { tool, prompt, resource, list };

/// A request on its way to what answers it.
struct AnyRequest {
  RequestKind kind = RequestKind::tool;
  std::string_view method = {};  // "tools/call", "prompts/get", "resources/read"; lists: "tools/list" and so on
  std::string subject = {};      // the name of the tool or prompt, the URI of the resource; empty for lists
  /// Of a tool or a prompt: may be changed, and is checked after the middleware. Of a resource: what its template took
  /// from the URI. Null for lists.
  Json arguments = nullptr;
  const ToolInfo* tool = nullptr;      // of tools
  const PromptInfo* prompt = nullptr;  // of prompts
};

/// One page of a list: the names of its tools or prompts, the URIs of its resources or templates. Names
/// that are taken out are not listed to this client; names that are added are ignored unless the page has them.
struct ListResult {
  std::vector<std::string> names = {};
  std::string next_cursor = {};  // empty on the last page
};

/// How a request ended: with a value, or with an exception, which becomes an error for the client only after the last
/// middleware has seen it.
struct AnyRequestOutcome {
  std::variant<std::monostate, ToolResult, PromptResult, ResourceResult, ListResult, Questions> value = {};
  /// What the function, or a middleware behind this one, has thrown; null if nothing. It is still here when a
  /// middleware of Server::around_call stands between, to which it had to be shown as a result.
  std::exception_ptr thrown = {};
};

template <>
struct detail::ReplyTraits<AnyRequestOutcome> {
  template <class T>
  static AnyRequestOutcome outcome_of(T&& value) {
    if constexpr (std::is_same_v<std::remove_cvref_t<T>, AnyRequestOutcome>) {
      return AnyRequestOutcome(std::forward<T>(value));
    } else if constexpr (std::is_same_v<std::remove_cvref_t<T>, std::exception_ptr>) {
      return thrown(std::forward<T>(value));
    } else {
      return AnyRequestOutcome{std::forward<T>(value), nullptr};
    }
  }
  static AnyRequestOutcome thrown(std::exception_ptr exception);
  static AnyRequestOutcome error(const std::string& text);
  static AnyRequestOutcome dropped();
};
extern template class BasicReply<AnyRequestOutcome>;

/// The rest of the chain: further middleware, then the function. Use it once, now or later: `next()` continues,
/// `next.then(look)` continues and calls `look` with the outcome before it is sent (on the thread that answers),
/// `next.answer(outcome)` answers without continuing. If it is dropped unused, the request is answered with an error.
/// Of all its copies only the first use counts.
template <class Outcome>
class BasicNext {
 public:
  using Look = std::function<void(Outcome&)>;
  using GoOn = std::function<void(Look)>;

  BasicNext(GoOn go_on, BasicReply<Outcome> reply)
      : steps_(std::make_shared<Steps>(std::move(go_on), std::move(reply))) {}

  void operator()() { then(nullptr); }
  void then(Look look) {
    if (!take()) return;
    GoOn go_on = std::move(steps_->go_on);
    steps_->reply.release();
    go_on(std::move(look));
  }
  template <class T>
  void answer(T&& value) {
    if (take()) steps_->reply(std::forward<T>(value));
  }

 private:
  struct Steps {
    Steps(GoOn on, BasicReply<Outcome> with) : go_on(std::move(on)), reply(std::move(with)) {}
    GoOn go_on;
    BasicReply<Outcome> reply;  // destroyed unused, it answers with an error
    std::atomic<bool> used{false};
  };
  bool take() { return !steps_->used.exchange(true); }

  std::shared_ptr<Steps> steps_;
};

/// Around a call of a tool. `next.answer` takes what a tool may return.
using Next = BasicNext<AnyOutcome>;
using Middleware = std::function<void(CallRequest&, Context&, Next)>;

/// Around a request of any kind. `next.answer` takes the result of its kind, Questions, or a std::exception_ptr. What a
/// middleware throws ends the request as if the function behind it had thrown it.
using RequestNext = BasicNext<AnyRequestOutcome>;
using RequestMiddleware = std::function<void(AnyRequest&, Context&, RequestNext)>;

}  // namespace toolwire
