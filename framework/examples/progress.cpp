// A tool that takes its time and says how far it is.
#include <string>
#include <toolwire/server.hpp>

using namespace toolwire;

bool is_prime(int number) {
  for (int divisor = 2; divisor <= number / divisor; ++divisor)
    if (number % divisor == 0) return false;
  return number > 1;
}

int count_primes(int below, Context& context) {
  int found = 0;
  for (int number = 0; number < below; ++number) {
    // Cheap: as many reports as one likes, of which at most twenty a second are sent.
    if (number % 1000 == 0) context.progress(number, below, std::to_string(found) + " so far");
    if (is_prime(number)) ++found;
  }
  return found;
}

int main(int argc, char** argv) {
  Server server({.name = "numbers", .version = "1.0.0"});
  server.tool("count_primes", "Count prime numbers", args(arg("below", "Up to where").between(0, 10'000'000)),
              count_primes);
  return server.run_stdio(argc, argv);
}
