#include <dirent.h>
#include <unistd.h>

#include <array>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>

#include "fixture_tools.hpp"
#include "toolwire/child_process.hpp"

namespace toolwire_test {
namespace {

using toolwire::field;
using toolwire::fields;

struct Amount {
  std::size_t bytes = 0;
  static constexpr auto describe() { return fields(field<&Amount::bytes>("How much")); }
};

struct Command {
  std::string line;
  static constexpr auto describe() { return fields(field<&Command::line>("For the shell")); }
};

/// Number of descriptors this process has open, without the one that counts them.
std::size_t open_descriptors() {
  std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc/self/fd"), &::closedir);
  std::size_t count = 0;
  while (folder != nullptr) {
    const dirent* entry = ::readdir(folder.get());
    if (entry == nullptr) break;
    if (entry->d_name[0] != '.') ++count;
  }
  return count > 0 ? count - 1 : 0;
}

std::string output_of(const std::string& line) {
  // NOLINTNEXTLINE(cert-env33-c): a careless tool does this
  std::unique_ptr<FILE, int (*)(FILE*)> child(::popen(line.c_str(), "r"), &::pclose);
  std::string text;
  for (int c = child ? std::fgetc(child.get()) : EOF; c != EOF; c = std::fgetc(child.get()))
    text.push_back(static_cast<char>(c));
  return text;
}

/// Starts a command that must end with this process, reports its first line as progress, and waits to be stopped.
std::string keep_child(const Command& command, toolwire::Context& context) {
  toolwire::ChildProcess child({.command = {"sh", "-c", command.line}, .own_group = true, .end_with_parent = true});
  std::string first;
  for (char byte = 0; child.transport().read(&byte, 1) == 1 && byte != '\n';) first += byte;
  context.progress(1, {}, first);
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any never;
  never.wait(lock, context.stop_token(), [] { return false; });
  return first;
}

}  // namespace

void add_process_tools(FixtureTools& tools) {
  tools.add("prints", "Writes on standard output, as a careless library would", [] {
    std::printf("{\"not\":\"from the server\"}\n");
    std::fflush(stdout);
    [[maybe_unused]] ssize_t written = ::write(STDOUT_FILENO, "stray\n", 6);
    return "printed";
  });
  tools.add("shell", "Runs a command that has the standard streams of this process",
            // NOLINTNEXTLINE(cert-env33-c): a careless tool does this
            [](const Command& command) { return std::system(command.line.c_str()); });
  tools.add("shell_output", "What a command writes", [](const Command& command) { return output_of(command.line); });
  tools.add("child", "Keeps a child process until it is stopped", keep_child);
  tools.add("stderr", "Writes straight on standard error", [](Amount amount) {
    std::string text(amount.bytes, 'e');
    for (std::size_t at = 0; at < text.size();) {
      ssize_t count = ::write(STDERR_FILENO, text.data() + at, text.size() - at);
      if (count <= 0) break;
      at += static_cast<std::size_t>(count);
    }
  });
  tools.add("descriptors", "How many descriptors are open", [] { return open_descriptors(); });
  tools.add("directory", "The working directory", [] {
    std::unique_ptr<char, void (*)(void*)> path(::getcwd(nullptr, 0), &std::free);
    return std::string(path ? path.get() : "");
  });
}

}  // namespace toolwire_test
