#include "system/own_process.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

namespace toolwire::bridge {

void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    const int opened = ::open("/dev/null", O_RDWR);  // the lowest that is free
    if (opened >= 0 && opened != stream) ::close(opened);
  }
}

void hide_environment() {
  // Never destroyed, like what they replace: libraries look into the environment while the process ends.
  // NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
  static std::vector<std::string>& texts = *new std::vector<std::string>;
  static std::vector<char*>& pointers = *new std::vector<char*>;
  // NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)
  if (!pointers.empty()) return;
  for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) texts.emplace_back(*entry);
  for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry)
    ::explicit_bzero(*entry, std::strlen(*entry));
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  ::environ = pointers.data();
}

std::vector<std::string_view> own_environment() {
  std::vector<std::string_view> entries;
  for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) entries.emplace_back(*entry);
  return entries;
}

}  // namespace toolwire::bridge
