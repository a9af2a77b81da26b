// For tests of commands as the server starts them: what they may do, and what is left when they end. Where the kernel
// cannot confine commands the server runs none, and there is nothing to test.
#pragma once

#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <toolwire/error.hpp>
#include <vector>

#include "file_content.hpp"
#include "scratch_folder.hpp"
#include "workspace/commands/commands.hpp"

namespace toolwire_test::commands {

using Words = std::vector<std::string>;

struct Ran {
  std::string text;
  workspace::CommandEnd end;
  std::optional<int> status;
};

/// To be made before the first thread.
struct Runner : ScratchFolder {
  explicit Runner(workspace::CommandSettings settings = {.write = true}, const std::string& root = "top")
      : top(folder(root).string()),
        roots(workspace::Root::at(top, workspace::Secrets::left_out)),
        commands(std::make_unique<workspace::Commands>(settings, roots)) {
    folder("outside");
  }

  std::shared_ptr<workspace::RunningCommand> start(const Words& words,
                                                   std::chrono::seconds most = std::chrono::seconds{30},
                                                   bool changes_what_runs_later = false) {
    return commands->start(commands->resolve(words, ".", changes_what_runs_later), most);
  }
  Ran run(const Words& words, std::chrono::seconds most = std::chrono::seconds{30},
          bool changes_what_runs_later = false) {
    const auto command = start(words, most, changes_what_runs_later);
    command->wait({});
    const workspace::CommandEnd end = command->end().value_or(workspace::CommandEnd{});
    return {command->written(0).text, end, exit_status_of(end)};
  }
  Ran shell(const std::string& script) { return run({"sh", "-c", script}); }

  std::string outside(const std::string& name) const { return (*this / "outside" / name).string(); }
  std::string content(const std::string& name) const { return content_of(*this / name); }

  std::string top;
  workspace::Roots roots;
  std::unique_ptr<workspace::Commands> commands;
};

struct ReadingRunner : Runner {
  ReadingRunner() : Runner(workspace::CommandSettings{}) {}
};

struct NetworkRunner : Runner {
  NetworkRunner() : Runner(workspace::CommandSettings{.network = true, .write = true}) {}
};

struct ProcRunner : Runner {
  ProcRunner() : Runner(workspace::CommandSettings{.proc = true, .write = true, .memory = 256}) {}
};

struct SmallRunner : Runner {
  SmallRunner() : Runner(workspace::CommandSettings{.write = true, .memory = 256}) {}
};

inline bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

inline bool says(const std::vector<std::string>& texts, std::string_view part) {
  for (const std::string& text : texts) {
    if (says(text, part)) return true;
  }
  return false;
}

inline std::string error_of(Runner& runner, const Words& words, const std::string& directory = ".") {
  try {
    runner.commands->resolve(words, directory, false);
  } catch (const toolwire::ToolError& error) {
    return error.what();
  }
  return "no error";
}

/// A process whose number is in a file, which the process has written itself.
inline bool is_there(const std::filesystem::path& file) {
  pid_t id = 0;
  std::ifstream(file) >> id;
  BOOST_TEST_REQUIRE(id > 0);
  return ::kill(id, 0) == 0;
}

inline boost::test_tools::assertion_result confines(boost::unit_test::test_unit_id /*unit*/) {
  boost::test_tools::assertion_result result(workspace::command_confinement_problem().empty());
  result.message() << workspace::command_confinement_problem();
  return result;
}

}  // namespace toolwire_test::commands
