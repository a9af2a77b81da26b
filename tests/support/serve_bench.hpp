// `toolwire-bridge serve` with the manifest of the discovery document, for tests that are its host.
#pragma once

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <toolwire/client.hpp>

#include "failure_code.hpp"
#include "file_content.hpp"
#include "manifest_document.hpp"
#include "program_run.hpp"
#include "scratch_folder.hpp"

namespace toolwire_test {

using namespace toolwire;
using namespace std::chrono_literals;

inline const std::string bridge_program = TOOLWIRE_BIN_DIR "/toolwire-bridge";
inline const std::vector<std::string> eras{"2025-06-18", "2026-07-28"};

/// A folder with the seed manifest, and what runs its tool.
struct ServeFixture {
  ScratchFolder folder;
  Json manifest = parse_json(seed_text());

  ServeFixture() { bind(R"j({"constant": {"result": {"run_id": "r-1"}}})j"); }

  std::string path(const std::string& name) const { return (folder / name).string(); }
  void bind(const std::string& binding) const {
    folder.file("tools.bindings.json", R"j({"bindings": {"spawn_coding_agent": )j" + binding + "}}");
  }
  std::string write_manifest() const { return folder.file("tools.json", to_json_text(manifest)).string(); }
  Json& metadata(const char* name) { return manifest.at_pointer("/tools/0/metadata").as_object()[name]; }

  Program serve(std::vector<std::string> more = {}) const {
    Program program{.command = {bridge_program, "serve", write_manifest()}};
    program.command.insert(program.command.end(), more.begin(), more.end());
    program.environment["XDG_STATE_HOME"] = folder.text();  // holds the key and the used nonces
    return program;
  }
};

inline const Json task = JsonObject{{"task", "Fix it"}};

/// Where the programs of this test keep their state.
inline const ScratchFolder& state_of_test() {
  static const ScratchFolder folder;
  return folder;
}

inline ProgramRun run(std::vector<std::string> command) {
  command.insert(command.begin(), bridge_program);
  Program program{.command = std::move(command)};
  program.environment["XDG_STATE_HOME"] = state_of_test().text();
  return run_program(program);
}

/// Counts something that happens on another thread.
class Counter {
 public:
  void count() {
    std::lock_guard lock(mutex_);
    ++count_;
    changed_.notify_all();
  }
  bool reaches(int number) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 20s, [&] { return count_ >= number; });
  }
  int now() {
    std::lock_guard lock(mutex_);
    return count_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

/// A user who always gives the same answer; questions that name the tool that needs approval are counted.
inline ClientOptions answering(bool approve, Counter& asked, const std::string& revision) {
  ClientOptions options{.revision = revision};
  options.on_elicitation = [approve, &asked](const Elicitation& question) {
    if (question.message.find("spawn_coding_agent") != std::string::npos) asked.count();
    return ElicitationReply{ElicitationReply::Action::accept, JsonObject{{"approve", approve}}};
  };
  return options;
}

}  // namespace toolwire_test
