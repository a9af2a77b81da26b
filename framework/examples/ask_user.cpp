// A tool that asks the user first. It returns the question and is called again with the answer; no thread waits.
#include <chrono>
#include <string>
#include <toolwire/server.hpp>

using namespace toolwire;

enum class Which { drafts, everything };

struct Choice {
  Which which = Which::drafts;
  bool sure = false;
  static constexpr auto describe() {
    return fields(field<&Choice::which>("What to delete"), field<&Choice::sure>("It cannot be undone"));
  }
};

Outcome<std::string> delete_notes(Context& context) {
  const auto answer = context.answer<Choice>("choice");
  if (!answer) return ask<Choice>("choice", "Which notes are to be deleted?");
  if (!answer->accepted() || !answer->value->sure) return "Nothing was deleted";
  return answer->value->which == Which::drafts ? "The drafts are deleted" : "All notes are deleted";
}

int main(int argc, char** argv) {
  Server server({.name = "notes", .version = "1.0.0"});
  // An answer counts once, and not for ever.
  server.tool({.name = "delete_notes",
               .description = "Delete notes",
               .destructive = true,
               .single_use_answers = true,
               .answers_within = std::chrono::minutes(2)},
              delete_notes);
  return server.run_stdio(argc, argv);
}
