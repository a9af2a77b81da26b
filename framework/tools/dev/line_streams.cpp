#include "line_streams.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "transport/line_splitter.hpp"

namespace toolwire::dev {
namespace {

constexpr std::size_t longest_line = std::size_t{64} << 20;

}  // namespace

void read_lines(Transport& transport, const std::function<void(std::string_view)>& handle,
                const std::atomic<bool>* is_over) {
  transport::LineSplitter lines(longest_line);
  const auto hand_over = [&](const std::optional<transport::LineSplitter::Line>& line) {
    if (line && !line->too_long && !line->text.empty()) handle(line->text);
  };
  for (std::ptrdiff_t count = 0;;) {
    const std::span<char> room = lines.room();
    count = transport.read(room.data(), room.size());
    if (count == Transport::end_of_input) break;
    if (count < 0 && is_over != nullptr && *is_over) return;
    if (count < 0) continue;  // an interrupt that was not for us
    lines.added(static_cast<std::size_t>(count));
    while (const auto line = lines.next()) hand_over(line);
  }
  hand_over(lines.rest());
}

LineWriter::LineWriter(Transport& transport) : transport_(transport), thread_([this] { work(); }) {}

LineWriter::~LineWriter() {
  {
    MutexLock lock(mutex_);
    is_over_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

void LineWriter::write(const std::string& line, std::size_t most) {
  MutexLock lock(mutex_);
  changed_.wait(lock, [&]() TOOLWIRE_REQUIRES(mutex_) { return bytes_.size() <= most; });
  bytes_.append(line) += '\n';
  changed_.notify_all();
}

void LineWriter::work() {
  for (bool is_read = true;;) {
    std::string bytes;
    {
      MutexLock lock(mutex_);
      changed_.wait(lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return !bytes_.empty() || is_over_; });
      if (bytes_.empty()) return;
      bytes = std::exchange(bytes_, {});
      changed_.notify_all();
    }
    if (is_read) is_read = transport_.write(bytes.data(), bytes.size(), Transport::Blocking::yes) >= 0;
  }
}

}  // namespace toolwire::dev
