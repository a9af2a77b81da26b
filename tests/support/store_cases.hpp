// Test cases for every store of a server (stores.hpp), wherever it keeps what it is told. Tasks have their own, see
// task_store_cases.hpp.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "toolwire/detail/what_of.hpp"
#include "toolwire/stores.hpp"

namespace toolwire_test {

/// What `ask(done)` comes to, which may be later; throws std::runtime_error with what the store fails with. The time
/// limit only ends tests that fail. An exception stays on its thread: the thread sanitizer cannot see who counts whose
/// it is.
template <class T, class Ask>
T answer_of(const Ask& ask) {
  using Answer = std::variant<T, std::string>;
  const auto promise = std::make_shared<std::promise<Answer>>();
  auto answer = promise->get_future();
  ask(toolwire::Done<T>([promise](typename toolwire::Done<T>::Result&& result) {
    if (const auto* const why = std::get_if<1>(&result))
      return promise->set_value(Answer(std::in_place_index<1>, toolwire::detail::what_of(*why)));
    promise->set_value(Answer(std::in_place_index<0>, std::get<0>(std::move(result))));
  }));
  if (answer.wait_for(std::chrono::seconds(30)) != std::future_status::ready)
    throw std::runtime_error("the store has not answered");
  Answer came = answer.get();
  if (const auto* const why = std::get_if<1>(&came)) throw std::runtime_error(*why);
  return std::get<0>(std::move(came));
}

toolwire::NonceUse use(toolwire::NonceStore& store, std::string_view nonce,
                       std::chrono::milliseconds lives = std::chrono::minutes(5));
toolwire::RateStore::Wait look(toolwire::RateStore& store, const std::string& key, std::int64_t per_minute);
toolwire::RateStore::Wait charge(toolwire::RateStore& store, const std::string& key, std::int64_t per_minute);
std::string keep(toolwire::OutputStore& store, std::string_view text);
std::shared_ptr<const std::string> find(toolwire::OutputStore& store, std::string_view id);

/// Gives stores that are empty; nonces are those of `used_answers`.
using MakeStores = std::function<toolwire::Stores()>;

/// Registers the cases with Boost.Test, in the suite `name`.
void add_store_cases(const char* name, const MakeStores& make);

}  // namespace toolwire_test
