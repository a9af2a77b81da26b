// A child process on two pipes, asked one line at a time. Does not interpret what is sent.
#pragma once

#include <sys/types.h>

#include <array>
#include <string>
#include <vector>

namespace toolwire_bench {

/// One thread. Destruction ends its input and waits for it.
class Child {
 public:
  /// Throws std::runtime_error if it cannot be started.
  explicit Child(std::vector<std::string> command);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();

  /// Writes a line (with its line feed) and waits for one. Throws std::runtime_error if it has ended.
  const std::string& ask(const std::string& line);

 private:
  pid_t id_ = -1;
  int input_ = -1;
  int output_ = -1;
  std::string answer_;
  std::array<char, 65'536> bytes_{};  // of one read
};

}  // namespace toolwire_bench
