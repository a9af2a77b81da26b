// Test cases for every store of a server (stores.hpp), wherever it keeps what it is told. Tasks have their own, see
// task_store_cases.hpp.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "toolwire/stores.hpp"

namespace toolwire_test {

/// What `ask(done)` comes to, which may be later; throws what the store fails with. The time limit only ends tests that
/// fail.
template <class T, class Ask>
T answer_of(const Ask& ask) {
  auto promise = std::make_shared<std::promise<T>>();
  auto answer = promise->get_future();
  ask(toolwire::Done<T>([promise](typename toolwire::Done<T>::Result&& result) {
    if (auto* const why = std::get_if<std::exception_ptr>(&result)) return promise->set_exception(*why);
    promise->set_value(std::get<T>(std::move(result)));
  }));
  if (answer.wait_for(std::chrono::seconds(30)) != std::future_status::ready)
    throw std::runtime_error("the store has not answered");
  return answer.get();
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
