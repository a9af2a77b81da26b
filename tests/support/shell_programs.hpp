// Shell programs that tests start, and what they write.
#pragma once

#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>

#include <toolwire/child_process.hpp>

#include "process_status.hpp"

namespace toolwire_test {

constexpr toolwire::ChildProcess::Grace impatient{.after_end_of_input = std::chrono::milliseconds{10},
                                                  .after_terminate = std::chrono::milliseconds{10}};

inline toolwire::Program shell(const std::string& script) { return {.command = {"sh", "-c", script}}; }

inline std::ptrdiff_t write(toolwire::Transport& to, std::string_view bytes) {
  return to.write(bytes.data(), bytes.size(), toolwire::Transport::Blocking::yes);
}

inline std::string read_all(toolwire::Transport& from) {
  std::string all;
  std::array<char, 4096> bytes{};
  for (std::ptrdiff_t count = 0; (count = from.read(bytes.data(), bytes.size())) > 0;)
    all.append(bytes.data(), static_cast<std::size_t>(count));
  return all;
}

inline std::string read_line(toolwire::Transport& from) {
  std::string line;
  for (char byte = 0; from.read(&byte, 1) == 1 && byte != '\n';) line += byte;
  return line;
}

inline std::string output_of(const toolwire::Program& program) {
  toolwire::ChildProcess process{program};
  process.close_input();
  return read_all(process.transport());
}

inline void wait_until_ended(pid_t id) {
  while (!has_ended(id)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace toolwire_test
