#include "child.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <string_view>

namespace toolwire_bench {
namespace {

std::vector<char*> pointers_of(std::vector<std::string>& command) {
  std::vector<char*> pointers;
  pointers.reserve(command.size() + 1);
  for (std::string& word : command) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Child::Child(std::vector<std::string> command) {
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
  while (answer_.empty() || answer_.back() != '\n') {
    const ssize_t count = ::read(output_, bytes_.data(), bytes_.size());
    if (count <= 0) throw std::runtime_error("the child has ended");
    answer_.append(bytes_.data(), static_cast<std::size_t>(count));
  }
  return answer_;
}

}  // namespace toolwire_bench
