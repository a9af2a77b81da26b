// Tools without a struct: their arguments are the parameters of the function, named by args(...).
#include <algorithm>
#include <optional>
#include <string>
#include <toolwire/server.hpp>

using namespace toolwire;

int main(int argc, char** argv) {
  Server server({.name = "texts", .version = "1.0.0"});

  server.tool("add", "Add two numbers", args("a", "b"), [](double a, double b) { return a + b; });

  // A parameter that is a std::optional may be left out; arg(...) describes and bounds one.
  server.tool("repeat", "Repeat a text", args("text", arg("times", "How often").between(1, 100)),
              [](const std::string& text, std::optional<int> times) {
                std::string all;
                for (int i = 0; i < times.value_or(2); ++i) all += text;
                return all;
              });

  server.tool("reverse", "Turn a text around", args(arg("text", "ASCII").length(1, 1000)), [](std::string text) {
    std::reverse(text.begin(), text.end());
    return text;
  });
  return server.run_stdio(argc, argv);
}
