#include "child.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <string_view>

namespace toolwire_bench {
namespace {

std::vector<char*> pointers_of(const std::vector<std::string>& command) {
  std::vector<char*> pointers;
  for (const std::string& word : command) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Child::Child(const std::vector<std::string>& command) {
  std::array<int, 2> to{};
  std::array<int, 2> from{};
  if (::pipe2(to.data(), O_CLOEXEC) != 0 || ::pipe2(from.data(), O_CLOEXEC) != 0)
    throw std::runtime_error("cannot make pipes");
  const std::vector<char*> arguments = pointers_of(command);
  id_ = ::fork();
  if (id_ == 0) {
    ::dup2(to[0], STDIN_FILENO);
    ::dup2(from[1], STDOUT_FILENO);
    ::execvp(arguments.front(), arguments.data());
    ::_exit(127);
  }
  ::close(to[0]);
  ::close(from[1]);
  input_ = to[1];
  output_ = from[0];
  if (id_ < 0) throw std::runtime_error("cannot start " + command.front());
}

Child::~Child() {
  ::close(input_);
  ::waitpid(id_, nullptr, 0);
  ::close(output_);
}

const std::string& Child::ask(const std::string& line) {
  for (std::string_view left = line; !left.empty();) {
    const ssize_t count = ::write(input_, left.data(), left.size());
    if (count <= 0) throw std::runtime_error("the child does not read any more");
    left.remove_prefix(static_cast<std::size_t>(count));
  }
  answer_.clear();
  std::array<char, 65'536> bytes;
  while (answer_.empty() || answer_.back() != '\n') {
    const ssize_t count = ::read(output_, bytes.data(), bytes.size());
    if (count <= 0) throw std::runtime_error("the child has ended");
    answer_.append(bytes.data(), static_cast<std::size_t>(count));
  }
  return answer_;
}

}  // namespace toolwire_bench
