// Questions to stores whose answers may come at once or later. Independent of what is asked, and of what for.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "toolwire/detail/turn.hpp"
#include "toolwire/stores.hpp"

namespace toolwire::detail {

/// Base of an operation that runs through its steps again, from the first, whenever an answer has come: each step was
/// done before, is done now, or returns in order to wait. `Owner` has `shared_from_this()` and `void answered_later()`,
/// which makes the steps run again; it is called on the thread that answers. One question at a time; a question that
/// is answered at once allocates nothing.
template <class Owner, class... Answers>
class Asking {
 protected:
  /// The answer to what `ask(done)` asks for, or why there is none; nothing if it comes later. Called again then, it
  /// returns that answer without asking.
  template <class T, class Ask>
  std::optional<typename Done<T>::Result> asked(Ask ask) {
    if (std::holds_alternative<std::monostate>(answer_)) {
      turn_.begins();
      auto owner = static_cast<Owner*>(this)->shared_from_this();
      ask(Done<T>::template to<&Asking::template answered<T>>(std::shared_ptr<Asking>(std::move(owner), this)));
      if (!turn_.is_answered()) return std::nullopt;
    }
    auto answer = std::exchange(answer_, std::monostate());
    if (auto* why = std::get_if<std::exception_ptr>(&answer)) return std::move(*why);
    return std::get<T>(std::move(answer));
  }

 private:
  template <class T>
  void answered(typename Done<T>::Result&& result) {
    std::visit([this](auto& one) { answer_.template emplace<std::remove_cvref_t<decltype(one)>>(std::move(one)); },
               result);
    if (turn_.answered()) static_cast<Owner*>(this)->answered_later();
  }

  Turn turn_;
  std::variant<std::monostate, Answers..., std::exception_ptr> answer_;  // not yet looked at
};

}  // namespace toolwire::detail
