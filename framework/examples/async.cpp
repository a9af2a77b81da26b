// Tools that wait without holding a thread: coroutines, and a std::future.
#include <chrono>
#include <future>
#include <string>
#include <toolwire/async.hpp>
#include <toolwire/server.hpp>

using namespace toolwire;

long count_primes(int below) {
  long count = 0;
  for (int number = 2; number < below; ++number) {
    bool is_prime = true;
    for (int by = 2; is_prime && by * by <= number; ++by) is_prime = number % by != 0;
    count += is_prime ? 1 : 0;
  }
  return count;
}

/// A part of a tool; it takes what it keeps by value.
Async<std::string> warmed(std::string what) {
  co_await delay(std::chrono::milliseconds(20));  // ends here if the call is cancelled
  co_return "warm " + what;
}

Async<std::string> breakfast(int eggs, Context& context) {
  const std::string tea = co_await warmed("tea");
  context.progress(1, 2, tea);
  co_return tea + ", " + std::to_string(eggs) + " eggs, " + co_await warmed("bread");
}

int main(int argc, char** argv) {
  Server server({.name = "kitchen", .version = "1.0.0"});
  server.tool("breakfast", "Make breakfast", args("eggs"), breakfast);
  server.tool("primes", "Count primes", args("below"), [](int below) -> Async<long> {
    co_return co_await post([below] { return count_primes(below); });  // on another thread of the server
  });
  server.tool("order", "Count primes", args("below"), [](int below) { return std::async(count_primes, below); });
  return server.run_stdio(argc, argv);
}
