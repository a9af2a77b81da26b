// From what Redis answers to what a store answers.
#pragma once

#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include <toolwire/stores.hpp>

#include "reply.hpp"

namespace toolwire::redis {

/// Throws std::runtime_error with what Redis says if it refuses a command.
inline const Reply& checked(const Reply& reply) {
  if (reply.kind == Reply::Kind::error) throw std::runtime_error("Redis refuses a command: " + reply.text);
  return reply;
}

/// Answers `done` with `read(reply)`, or with why there is no such answer; `read` may throw.
template <class T, class Read>
Done<Reply> read_into(Done<T> done, Read read) {
  return Done<Reply>([done = std::move(done), read = std::move(read)](Done<Reply>::Result&& result) mutable {
    if (const auto* const why = std::get_if<std::exception_ptr>(&result)) return done.fail(*why);
    std::optional<T> answer;
    try {
      answer.emplace(read(checked(std::get<Reply>(result))));
    } catch (...) {
      return done.fail(std::current_exception());
    }
    done(std::move(*answer));
  });
}

}  // namespace toolwire::redis
