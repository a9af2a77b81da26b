#include "system/next_program.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <string>
#include <system_error>

#include "system/program_version.hpp"

namespace toolwire::bridge {
namespace {

[[noreturn]] void fail(const std::string& what) { throw std::system_error(errno, std::generic_category(), what); }

}  // namespace

OwnProgram own_program() {
  constexpr const char* self = "/proc/self/exe";
  std::string path(PATH_MAX, '\0');
  const ssize_t length = ::readlink(self, path.data(), path.size());
  struct stat about {};
  if (length < 0 || ::stat(self, &about) != 0) fail("this program cannot be found");
  path.resize(static_cast<std::size_t>(length));
  std::string build = program_version();
  for (const long long number : {static_cast<long long>(about.st_size), static_cast<long long>(about.st_mtim.tv_sec),
                                 static_cast<long long>(about.st_mtim.tv_nsec)})
    build.append(" ").append(std::to_string(number));
  return {std::move(path), std::move(build)};
}

void become(const std::vector<std::string>& command) {
  std::vector<std::string> words = command;
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execv(pointers.front(), pointers.data());
  fail("cannot execute " + command.front());
}

}  // namespace toolwire::bridge
