// A server whose tools return every kind of type: each result has to be one that clients take.
#include <array>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <toolwire/server.hpp>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

using namespace toolwire;
using namespace std::chrono_literals;

namespace {

enum class Colour { red, green };

enum Weekday : int { saturday, sunday };
constexpr auto enumerator_names(Weekday) {
  return std::to_array<Enumerator<Weekday>>({{saturday, "saturday", "On Saturday"}, {sunday, "sunday", "On Sunday"}});
}

struct Circle {
  double radius = 1;
  static constexpr auto describe() { return fields(field<&Circle::radius>("Its size")); }
};

struct Square {
  double side = 1;
  std::optional<Colour> colour;
  static constexpr auto describe() {
    return fields(field<&Square::side>("Its size"), field<&Square::colour>("If it has one"));
  }
};

struct Drawing {
  std::string name;
  std::variant<Circle, Square> shape;
  std::optional<std::string> note;
  static constexpr auto describe() {
    return fields(field<&Drawing::name>("Its name"), field<&Drawing::shape>("What is on it"),
                  field<&Drawing::note>("If somebody has written one"));
  }
};

struct Folder {
  std::string name;
  std::vector<Folder> folders;
  std::unique_ptr<Folder> link;
  static constexpr auto describe() {
    return fields(field<&Folder::name>("Its name"), field<&Folder::folders>("In it"),
                  field<&Folder::link>("Where it leads"));
  }
};

/// As std::expected.
struct Printed {
  bool has_value() const { return false; }
  Circle value() const { return {}; }
  Square error() const { return {3, Colour::red}; }
};

void add_scalars(Server& server) {
  server.tool("string", "A text", [] { return std::string("hello"); });
  server.tool("string_of_json", "A text that is JSON", [] { return "[1, 2]"; });
  server.tool("integer", "A whole number", [] { return 42; });
  server.tool("fraction", "A number", [] { return 0.25; });
  server.tool("boolean", "Yes or no", [] { return true; });
  server.tool("enumerator", "One of several", [] { return Colour::green; });
  server.tool("plain_enumerator", "One of two", [] { return sunday; });
  server.tool("scalar", "A number or a text", [] { return std::variant<int, double, std::string>("seven"); });
  server.tool("whole_scalar", "The same", [] { return std::variant<int, double, std::string>(7.0); });
  server.tool("nothing", "No result", [] {});
}

void add_coded(Server& server) {
  server.tool("path", "A path", [] { return std::filesystem::path("/srv/notes"); });
  server.tool("duration", "A length of time", [] { return 90min; });
  server.tool("time", "A point in time", [] { return std::chrono::sys_seconds(1'700'000'000s); });
  server.tool("bytes", "Bytes", [] { return std::vector{std::byte{1}, std::byte{2}}; });
}

void add_containers(Server& server) {
  server.tool("vector", "A list", [] { return std::vector<std::string>{"a", "b"}; });
  server.tool("empty_vector", "An empty list", [] { return std::vector<int>{}; });
  server.tool("array", "A list of three", [] { return std::array{1, 2, 3}; });
  server.tool("set", "A set", [] { return std::set<int>{2, 1}; });
  server.tool("map", "A table", [] { return std::map<std::string, int>{{"ann", 7}}; });
  server.tool("tuple", "Three values", [] { return std::tuple<std::string, int, Circle>("ann", 7, Circle{2}); });
  server.tool("pair", "Two values", [] { return std::pair<std::string, int>("ann", 7); });
  server.tool("optional", "A number, if there is one", [] { return std::optional(7); });
  server.tool("empty_optional", "A number, if there is one", []() -> std::optional<int> { return std::nullopt; });
}

void add_structs(Server& server) {
  server.tool("struct", "A struct", [] { return Drawing{"round", Circle{2}, {}}; });
  server.tool("variant", "A struct of another kind", [] { return Drawing{"edged", Square{3, Colour::red}, "Nice"}; });
  server.tool("structs", "A list of structs", [] { return std::vector<Drawing>(2); });
  server.tool("optional_struct", "A struct, if there is one", []() -> std::optional<Circle> { return std::nullopt; });
  server.tool("tree", "A struct in itself", [] {
    Folder folder{"a", {}, std::make_unique<Folder>()};
    folder.folders.emplace_back().name = "b";
    return folder;
  });
  server.tool("trees", "A list of such", [] { return std::vector<Folder>(1); });
  server.tool("failing", "A struct, or one that says why not", [] { return Printed{}; });
  server.tool({.name = "json", .description = "JSON", .output_schema = {{"type", "object"}}}, [] {
    return Json{{"a", {1, 2}}};
  });
  server.tool("result", "Made by hand", [] { return ToolResult::text("by hand"); });
}

}  // namespace

int main(int argc, char** argv) {
  Server server({.name = "result_types", .version = "1.0.0"});
  add_scalars(server);
  add_coded(server);
  add_containers(server);
  add_structs(server);
  return server.run_stdio(argc, argv);
}
