// Where results hook in that come after their function has returned. Empty here, so that programs without them do not
// pay for them: toolwire/async.hpp has the specializations.
#pragma once

namespace toolwire::detail {

/// For a type that stands for a later value: `Value`, and `begin(reply, context, arguments, start)`, which keeps the
/// arguments, calls `start(arguments)` for the result, and sees to it that the reply is answered.
template <class Result>
struct LaterResult {};

template <class Result>
concept ComesLater = requires {
  typename LaterResult<Result>::Value;
};

/// A std::future by its looks: this header does not include <future>.
template <class Result>
concept LooksLikeFuture = requires(Result result) {
  result.share();
  result.wait();
  result.get();
};

/// ComesLater, and a sentence where the header is missing that would make it so.
template <class Result>
consteval bool comes_later() {
  static_assert(ComesLater<Result> || !LooksLikeFuture<Result>,
                "toolwire: a tool that returns a std::future includes toolwire/async.hpp");
  return ComesLater<Result>;
}

}  // namespace toolwire::detail
