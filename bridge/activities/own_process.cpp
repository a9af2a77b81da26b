#include "activities/own_process.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

namespace toolwire::bridge {

void hide_environment() {
  // Never destroyed, like what they replace: libraries look into the environment while the process ends.
  static std::vector<std::string>& texts = *new std::vector<std::string>;
  static std::vector<char*>& pointers = *new std::vector<char*>;
  if (!pointers.empty()) return;
  for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) texts.emplace_back(*entry);
  for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry)
    ::explicit_bzero(*entry, std::strlen(*entry));
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  ::environ = pointers.data();
}

void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);  // what is not granted is not needed
}

}  // namespace toolwire::bridge
