// A tool: its description, and the function behind it in erased form. `make_tool` is where a user's types enter.
// Independent of the wire and revisions.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "toolwire/context.hpp"
#include "toolwire/detail/handler_checks.hpp"
#include "toolwire/detail/invoke.hpp"
#include "toolwire/detail/later_result.hpp"
#include "toolwire/detail/named_arguments.hpp"
#include "toolwire/output_budget.hpp"
#include "toolwire/reply.hpp"
#include "toolwire/result.hpp"

namespace toolwire {

/// An image a client may show (specification: basic, icons). Sent from 2025-11-25 on.
struct Icon {
  std::string src;  // https: or data: URI
  std::string mime_type = {};
  std::vector<std::string> sizes = {};  // "48x48", "any"
  std::string theme = {};               // "light", "dark" or empty
};

/// Further scopes that a call needs, by its arguments (an object, not checked yet). Any thread; must not wait. Where it
/// throws, the call is refused.
using ScopesOfCall = std::function<std::vector<std::string>(const Json& arguments)>;

/// The description of a tool, and the limits of its calls. Hints that are not stated are not sent (specification:
/// server/tools).
struct ToolInfo {
  std::string name = {};  // [A-Za-z0-9_.-], 1 to 128 characters; hosts agree best on [A-Za-z0-9_-] up to 50
  std::string description = {};
  std::string title = {};
  std::optional<bool> read_only = {};    // does not change anything
  std::optional<bool> destructive = {};  // may destroy or overwrite
  std::optional<bool> idempotent = {};   // a second call with the same arguments changes nothing more
  std::optional<bool> open_world = {};   // reaches beyond this machine
  // Zero: none. At the deadline the call is answered with an error, and the tool is told to stop.
  std::chrono::milliseconds timeout = {};
  int rate_per_minute = 0;  // zero: unlimited. Sliding window per tool
  /// Tools run side by side, several calls of one, too, unless they are serial: calls of this one run one after the
  /// other, in the order in which they came, whoever calls. A call that waits for its turn holds no thread; its
  /// deadline passes meanwhile, and then it has not begun and may be called again. A question to the client ends the
  /// turn; with the answers the tool waits for another one. One that answers later has its turn until it has answered,
  /// and let go of its Reply.
  bool serial = false;
  std::string serial_group = {};  // serial together with all tools of this server that name the same group
  /// Takes longer than a client likes to wait. Its calls become tasks where the client can follow one: it is answered
  /// at once, asks how the task is doing, answers its questions, fetches the result, or cancels it; elsewhere it is
  /// called as any other. See ServerOptions::tasks.
  bool long_running = false;
  bool only_as_task = false;        // calls that cannot become a task are refused, where the revision has tasks
  bool asks_before_task = false;    // 2026-07-28: its first questions are put before the call becomes a task
  bool single_use_answers = false;  // answers to its questions count once, in all processes of the server (approvals)
  std::chrono::milliseconds answers_within = {};   // 2026-07-28: older answers are refused; zero: Limits::state_age
  std::optional<OutputBudget> output_budget = {};  // of the text in its results; else ServerOptions::output_budget
  std::vector<Icon> icons = {};
  JsonObject meta = {};     // `_meta` of the tool
  Json input_schema = {};   // for tools that take Json; derived for typed ones
  Json output_schema = {};  // for tools that return Json or a ToolResult, or answer later; derived for typed ones
  Visible visible = {};     // for whom it is there; empty: for everybody
  /// What a caller needs to have been granted, all of it (RFC 6749 §3.3); the tool is listed for everybody all the
  /// same. Over HTTP who lacks one is told all of them with 403 `insufficient_scope`, before anything is done, and may
  /// come again with another token (2026-07-28 basic/authorization, scope challenge handling). Elsewhere the call fails
  /// with the error 403; there they count for callers whom ServerOptions::identify has named: whoever has started the
  /// server, or may use its socket, may do all.
  std::vector<std::string> scopes = {};
  ScopesOfCall scopes_of_call = {};  // as well; empty: none
};

using ToolHandler = std::function<AnyOutcome(const Json& arguments, Context&)>;
using LaterToolHandler = std::function<void(const Json& arguments, Context&, Reply)>;

/// A registered tool; immutable, shared by the calls that run it.
struct Tool {
  ToolInfo info;
  std::variant<ToolHandler, LaterToolHandler> handler;
  bool takes_json = false;  // arguments are to be validated against info.input_schema before the handler sees them
  /// Results are to be validated against info.output_schema, as no C++ type guarantees that they fit. Those that a
  /// middleware may have made or changed are in any case.
  bool checks_output = false;
};

namespace detail {

/// The function behind a tool, of which the types are known no more. One of the two handlers.
struct ErasedTool {
  ToolHandler now = {};
  LaterToolHandler later = {};
  const Shape* arguments = nullptr;    // null: it takes JSON
  Json (*output_schema)() = nullptr;   // of what it returns, unless the author gives one; null: nothing is known of it
  bool may_return_any_result = false;  // a ToolResult beside what has that schema
};

/// Compiled once, and not in every program for each of its tools, as all that knows no types.
Tool described(ToolInfo&& info, ErasedTool&& function);

template <class Result>
void returns(ErasedTool& tool) {
  tool.output_schema = &output_schema_of<Result>;
  tool.may_return_any_result = is_outcome<Result>;
}

template <class F>
ErasedTool erased(F&& handler) {
  ErasedTool tool;
  if constexpr (HandlerCheck<F, Reply>::passed) {
    using Signature = detail::Signature<F>;
    using Arguments = typename FirstParameter<typename Signature::Parameters>::Type;
    if constexpr (!std::is_same_v<Arguments, Json>) tool.arguments = &root_shape<Arguments>();
    if constexpr (answers_later<typename Signature::Parameters>) {
      tool.later = [handler = Kept<F>(std::forward<F>(handler))](const Json& json, Context& context,
                                                                 Reply reply) mutable {
        invoke_decoded(handler, json, context, std::move(reply));
      };
    } else if constexpr (comes_later<typename Signature::Result>()) {
      using Later = LaterResult<typename Signature::Result>;
      returns<typename Later::Value>(tool);
      tool.later = [handler = Kept<F>(std::forward<F>(handler))](const Json& json, Context& context,
                                                                 Reply reply) mutable {
        Later::begin(std::move(reply), context, KeptArguments<Arguments>(json),
                     [&](auto& arguments) { return invoke_with(handler, arguments.take(), context); });
      };
    } else {
      returns<typename Signature::Result>(tool);
      tool.now = [handler = Kept<F>(std::forward<F>(handler))](const Json& json, Context& context) mutable {
        return call_now(handler, json, context);
      };
    }
  }
  return tool;
}

/// `name`: that of the tool, for what is wrong with its parameters.
template <class F, Bounded... What>
ErasedTool erased(const std::string& name, NamedArguments<What...> names, F&& handler) {
  ErasedTool tool;
  if constexpr (is_named_handler<F, Reply, NamedArguments<What...>>()) {
    using Signature = detail::Signature<F>;
    const auto table = std::make_shared<const typename NamedHandler<F, NamedArguments<What...>>::Table>(names, name);
    tool.arguments = &table->shape();
    if constexpr (answers_later<typename Signature::Parameters>) {
      tool.later = [handler = Kept<F>(std::forward<F>(handler)), table](const Json& json, Context& context,
                                                                        Reply reply) mutable {
        invoke_named(handler, table->read(json), context, std::move(reply));
      };
    } else if constexpr (comes_later<typename Signature::Result>()) {
      using Later = LaterResult<typename Signature::Result>;
      returns<typename Later::Value>(tool);
      tool.later = [handler = Kept<F>(std::forward<F>(handler)), table](const Json& json, Context& context,
                                                                        Reply reply) mutable {
        Later::begin(std::move(reply), context, table->read(json),
                     [&](auto& arguments) { return invoke_named(handler, std::move(arguments), context); });
      };
    } else {
      returns<typename Signature::Result>(tool);
      tool.now = [handler = Kept<F>(std::forward<F>(handler)), table](const Json& json, Context& context) mutable {
        return outcome_of_call<typename Signature::Result>(
            [&]() -> decltype(auto) { return invoke_named(handler, table->read(json), context); });
      };
    }
  }
  return tool;
}

}  // namespace detail

/// A tool from a function: `handler(Arguments, Context&)`, where either parameter may be left out and a third, `Reply`,
/// makes it a tool that answers later; so does a result that comes later (toolwire/async.hpp). `Arguments` is a
/// described struct, or `const Json&` with `info.input_schema` given.
template <class F>
Tool make_tool(ToolInfo info, F handler) {
  return detail::described(std::move(info), detail::erased(std::move(handler)));
}

/// A tool from a function whose parameters are its arguments, without a struct; Context& and Reply may follow them:
///     make_tool({.name = "add"}, args(arg("a", "First number"), "b"), [](double a, double b) { return a + b; });
/// Throws std::invalid_argument, naming the tool and the parameter, for bounds that no number of its type has.
template <class F, detail::Bounded... What>
Tool make_tool(ToolInfo info, NamedArguments<What...> names, F handler) {
  auto function = detail::erased(info.name, names, std::move(handler));
  return detail::described(std::move(info), std::move(function));
}

}  // namespace toolwire
