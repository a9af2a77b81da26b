// Types that a struct's members may have besides numbers and texts: one of several, a tree, a text of some form, names
// with titles; and a function that owns something.
#include <array>
#include <memory>
#include <string>
#include <toolwire/server.hpp>
#include <variant>
#include <vector>

using namespace toolwire;

enum Kind : int { section, chapter };
constexpr auto enumerator_names(Kind) {
  return std::to_array<Enumerator<Kind>>({{section, "section", "A section"}, {chapter, "chapter", "A whole chapter"}});
}

struct Part {
  Kind kind = section;
  std::string id;
  std::variant<int, double, std::string> number;  // 7, 7.5 or "VII"
  std::vector<Part> parts;
  static constexpr auto describe() {
    return fields(field<&Part::kind>("What it is"), field<&Part::id>("For links").pattern("^[a-z-]+$").length(1, 20),
                  field<&Part::number>("How it is counted").optional(), field<&Part::parts>("Within it").optional());
  }
};

int count(const Part& part) {
  int all = 1;
  for (const Part& inner : part.parts) all += count(inner);
  return all;
}

int main(int argc, char** argv) {
  Server server({.name = "book", .version = "1.0.0"});
  server.tool("count", "Count the parts", count);
  server.tool("next", "Give the next number", [last = std::make_unique<int>()] { return ++*last; });
  return server.run_stdio(argc, argv);
}
