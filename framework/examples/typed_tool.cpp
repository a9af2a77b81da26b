// A tool whose arguments are a struct: its input schema, the checks of what a caller sends and the errors that a model
// can act on follow from describe(), its output schema from the type that it returns.
#include <cstddef>
#include <string>
#include <toolwire/server.hpp>
#include <vector>

using namespace toolwire;

enum class Unit { celsius, fahrenheit };

struct Wish {
  std::string city;
  int days = 2;
  Unit unit = Unit::celsius;
  static constexpr auto describe() {
    return fields(field<&Wish::city>("Name of the city").length(1, 80),
                  field<&Wish::days>("How many days").between(1, 10).optional(),
                  field<&Wish::unit>("Of the temperatures").optional());
  }
};

struct Forecast {
  std::string city;
  std::vector<int> highest;
  static constexpr auto describe() {
    return fields(field<&Forecast::city>("Name of the city"), field<&Forecast::highest>("One temperature a day"));
  }
};

Forecast forecast(const Wish& wish) {
  const int today = wish.unit == Unit::celsius ? 20 : 68;
  return {wish.city, std::vector<int>(static_cast<std::size_t>(wish.days), today)};
}

int main(int argc, char** argv) {
  Server server({.name = "weather", .version = "1.0.0"});
  server.tool({.name = "forecast", .description = "Tell how warm it will be", .read_only = true}, forecast);
  return server.run_stdio(argc, argv);
}
