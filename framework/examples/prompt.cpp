// A prompt: a conversation to begin with, which users pick in their host. While they fill in its arguments the server
// suggests values; of an enumeration it does so by itself.
#include <string>
#include <toolwire/server.hpp>

using namespace toolwire;

enum class Tone { friendly, strict };

struct Review {
  std::string file;
  Tone tone = Tone::friendly;
  static constexpr auto describe() {
    return fields(field<&Review::file>("What to look at"), field<&Review::tone>("How to say it").optional());
  }
};

PromptResult review(const Review& wish) {
  const std::string tone = wish.tone == Tone::strict ? "Be strict." : "Be friendly.";
  return PromptResult{.description = "Review of " + wish.file}
      .user("Review " + wish.file + ". " + tone)
      .assistant("I begin with what it is for.");
}

int main(int argc, char** argv) {
  Server server({.name = "reviews", .version = "1.0.0"});
  server.prompt({.name = "review",
                 .description = "Have a file reviewed",
                 .completers = {{"file", complete_from({"main.cpp", "map.cpp", "README.md"})}}},
                review);
  return server.run_stdio(argc, argv);
}
