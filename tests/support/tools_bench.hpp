// A home and a project of their own for the program `toolwire`, a PATH with nothing on it but what a test puts there,
// and servers to install.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "file_content.hpp"
#include "program_run.hpp"
#include "scratch_folder.hpp"

namespace toolwire_test {

struct ToolsBench {
  ScratchFolder folder;
  const std::string home = folder.folder("home").string();
  const std::string project = std::filesystem::canonical(folder.folder("project")).string();
  const std::string path = folder.folder("path").string();
  const std::string hello = TOOLWIRE_BIN_DIR "/hello";
  std::map<std::string, std::string> environment{{"HOME", home}, {"PATH", path}, {"LANG", "C.UTF-8"}};

  ProgramRun run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), TOOLWIRE_BIN_DIR "/toolwire");
    return run_program(
        {.command = arguments, .environment = environment, .inherit_environment = false, .directory = project});
  }

  /// `toolwire install HOST … -- hello`, without starting it.
  ProgramRun install(const std::string& host, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"install", host, "--name", "notes", "--no-start"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    for (const std::string& word : {std::string("--"), hello, std::string("--root"), std::string("/a b")})
      arguments.push_back(word);
    return run(arguments);
  }

  ProgramRun uninstall(const std::string& host, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"uninstall", host, "--name", "notes"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  /// A program that can be executed; its text is one for sh.
  std::string script(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = folder.file(name, "#!/bin/sh\n" + text);
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file.string();
  }

  /// All files below the folder and what they hold; of symbolic links, where they lead.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
      if (entry.is_symlink())
        all[entry.path().string()] = std::filesystem::read_symlink(entry.path()).string();
      else if (entry.is_regular_file())
        all[entry.path().string()] = content_of(entry.path());
    }
    return all;
  }
};

}  // namespace toolwire_test
