// Results whose form no C++ type says: the tool states an output schema, and each result is checked against it.
#include <string>
#include <toolwire/server.hpp>
#include <vector>

using namespace toolwire;

Json statistics_schema() {
  return parse_json(R"({"type": "object",
    "properties": {"count": {"type": "integer"}, "mean": {"type": "number"}},
    "required": ["count"]})");
}

ToolResult statistics(const std::vector<double>& numbers) {
  JsonObject found{{"count", numbers.size()}};
  double sum = 0;
  for (const double number : numbers) sum += number;
  if (!numbers.empty()) found["mean"] = sum / static_cast<double>(numbers.size());
  return ToolResult::of(found);
}

int main(int argc, char** argv) {
  Server server({.name = "statistics", .version = "1.0.0"});
  server.tool({.name = "statistics", .description = "Sum up numbers", .output_schema = statistics_schema()},
              args("numbers"), statistics);
  // What does not fit is an error instead: no client is given what it was promised not to get.
  server.tool({.name = "wrong", .description = "Breaks its word", .output_schema = statistics_schema()}, [] {
    return ToolResult::of({{"count", "many"}});
  });
  return server.run_stdio(argc, argv);
}
