// A program that is started with a socket that listens already, as systemd starts it (sd_listen_fds(3)): who connects
// before it runs, or between two of them, waits.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <map>
#include <string>
#include <system_error>
#include <toolwire/child_process.hpp>
#include <vector>

#include "listening_socket.hpp"

namespace toolwire_test {

/// One thread. Of the program, command and environment count.
class HandedProgram {
 public:
  HandedProgram(const ListeningSocket& socket, const toolwire::Program& program)
      : id_(start(socket.descriptor(), program)) {}
  ~HandedProgram() {
    if (id_ > 0) ::kill(id_, SIGKILL);
    wait();
  }
  HandedProgram(const HandedProgram&) = delete;
  HandedProgram& operator=(const HandedProgram&) = delete;

  void signal(int number) const { ::kill(id_, number); }
  /// Its exit status; -1 if a signal has ended it, or it was waited for before.
  int wait() {
    int status = 0;
    if (id_ <= 0 || ::waitpid(id_, &status, 0) != id_) return -1;
    id_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  /// The shell knows the process that it becomes, which dies with this one.
  static pid_t start(int descriptor, const toolwire::Program& program) {
    std::vector<std::string> words{"sh", "-c", "LISTEN_FDS=1 LISTEN_PID=$$ exec setpriv --pdeathsig KILL \"$@\"", "sh"};
    words.insert(words.end(), program.command.begin(), program.command.end());
    std::map<std::string, std::string> variables = program.environment;
    for (char** one = environ; *one != nullptr; ++one) {
      const std::string text = *one;
      const std::size_t equals = text.find('=');
      if (equals != std::string::npos) variables.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    std::vector<std::string> environment;
    for (const auto& [name, value] : variables) environment.push_back(name + "=" + value);
    return spawn(descriptor, pointers(words).data(), pointers(environment).data());
  }
  static std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (std::string& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
  }
  /// dup2 lets it be inherited, also where the two are one.
  static pid_t spawn(int descriptor, char* const* words, char* const* environment) {
    constexpr int first = 3;
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&files, descriptor, first);
    pid_t id = 0;
    const int error = ::posix_spawn(&id, "/bin/sh", &files, nullptr, words, environment);
    ::posix_spawn_file_actions_destroy(&files);
    if (error != 0) throw std::system_error(error, std::generic_category(), "posix_spawn");
    return id;
  }

  pid_t id_;
};

}  // namespace toolwire_test
