#include <toolwire/system/standard_streams.hpp>

#include <unistd.h>

#include <cstddef>

namespace toolwire::system {
namespace {

int descriptor_of(StandardStream stream) {
  switch (stream) {
    case StandardStream::input:
      return STDIN_FILENO;
    case StandardStream::output:
      return STDOUT_FILENO;
    case StandardStream::errors:
      break;
  }
  return STDERR_FILENO;
}

}  // namespace

bool is_terminal(StandardStream stream) { return ::isatty(descriptor_of(stream)) != 0; }

void write_to_standard_error(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t count = ::write(STDERR_FILENO, text.data(), text.size());
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace toolwire::system
