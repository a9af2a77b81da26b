#include "policy/rated.hpp"

#include <exception>
#include <string>
#include <utility>
#include <variant>

#include <toolwire/detail/what_of.hpp>
#include <toolwire/rate_window.hpp>
#include <toolwire/system/log_line.hpp>

namespace toolwire::bridge {
namespace {

/// A call that waits for the store's answer.
struct Charged {
  std::string tool;
  std::int64_t per_minute = 0;
  Next next;

  void operator()(Done<RateStore::Wait>::Result&& answer) {
    if (const auto* why = std::get_if<std::exception_ptr>(&answer)) {
      log_rarely(LogLevel::error,
                 "the rate of tool \"" + tool + "\" cannot be looked up: " + toolwire::detail::what_of(*why));
      return next.answer(
          failure("unavailable", "The server cannot tell how often this was called; try again shortly", true));
    }
    const RateStore::Wait wait = std::get<RateStore::Wait>(answer);
    if (!wait) return next();
    next.answer(failure("rate_limited", rate_limited_text(tool, per_minute, *wait), true, wait->count()));
  }
};

}  // namespace

Middleware rated(std::shared_ptr<RateStore> rates, std::function<std::int64_t(const ToolInfo&)> per_minute) {
  return [rates = std::move(rates), per_minute = std::move(per_minute)](CallRequest& request, Context& context,
                                                                        Next next) {
    const std::int64_t allowed = per_minute(request.info);
    if (allowed <= 0 || !context.answers().empty()) return next();
    rates->charge(rate_key(request.tool, context.principal().id), allowed,
                  Done<RateStore::Wait>(Charged{request.tool, allowed, std::move(next)}));
  };
}

}  // namespace toolwire::bridge
