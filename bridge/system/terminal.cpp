#include "system/terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <toolwire/system/file_descriptor.hpp>
#include <toolwire/system/wake_event.hpp>

namespace toolwire::bridge {
namespace {

class SessionTerminal final : public Terminal {
 public:
  explicit SessionTerminal(system::FileDescriptor terminal) : terminal_(std::move(terminal)) {}

  std::optional<std::string> ask(const std::string& question, const std::stop_token& stop) override {
    ::tcflush(terminal_.get(), TCIFLUSH);
    if (!write(question)) return std::nullopt;
    const system::WakeEvent stopped;
    const std::stop_callback wake(stop, [&stopped] { stopped.set(); });
    std::string line;
    while (line.empty() || line.back() != '\n') {
      if (!wait_for_input(stopped) || !read_into(line)) return std::nullopt;
    }
    line.pop_back();
    return line;
  }

 private:
  bool write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t count = ::write(terminal_.get(), text.data(), text.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  bool wait_for_input(const system::WakeEvent& stopped) const {
    pollfd waited[] = {{.fd = stopped.descriptor(), .events = POLLIN, .revents = 0},
                       {.fd = terminal_.get(), .events = POLLIN, .revents = 0}};
    while (::poll(waited, 2, -1) < 0) {
      if (errno != EINTR) return false;
    }
    return waited[0].revents == 0;
  }

  /// A terminal gives one line at most.
  bool read_into(std::string& line) const {
    char bytes[256];
    const ssize_t count = ::read(terminal_.get(), bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) return true;
    if (count > 0) line.append(bytes, static_cast<std::size_t>(count));
    return count > 0;
  }

  system::FileDescriptor terminal_;
};

}  // namespace

std::unique_ptr<Terminal> Terminal::of_this_session() {
  system::FileDescriptor terminal(::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY));
  if (!terminal.is_open()) return nullptr;
  return std::make_unique<SessionTerminal>(system::beside_standard_streams(std::move(terminal)));
}

}  // namespace toolwire::bridge
