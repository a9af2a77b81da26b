// A connection whose lines somebody else sees as well.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <toolwire/transport.hpp>

namespace toolwire::tools {

/// Passes everything on to another transport, which must outlive it, and shows each whole line, without its end.
class TappedTransport final : public Transport {
 public:
  enum class Direction { to_server, from_server };
  /// `size`: of the whole line; `line` has its first 64 KiB. Called on the threads that read and write.
  using Seen = std::function<void(Direction direction, std::string_view line, std::size_t size)>;

  TappedTransport(Transport& inner, const Seen& seen)
      : inner_(inner), read_(Direction::from_server, seen), written_(Direction::to_server, seen) {}

  std::ptrdiff_t read(char* into, std::size_t room) override {
    const std::ptrdiff_t count = inner_.read(into, room);
    if (count > 0) read_.take({into, static_cast<std::size_t>(count)});
    return count;
  }
  std::ptrdiff_t write(const char* bytes, std::size_t count, Blocking blocking) override {
    const std::ptrdiff_t written = inner_.write(bytes, count, blocking);
    if (written > 0) written_.take({bytes, static_cast<std::size_t>(written)});
    return written;
  }
  void interrupt() override { inner_.interrupt(); }
  bool input_closed() override { return inner_.input_closed(); }
  std::string end_reason() override { return inner_.end_reason(); }

 private:
  class Lines {
   public:
    Lines(Direction direction, Seen seen) : direction_(direction), seen_(std::move(seen)) {}
    void take(std::string_view bytes);

   private:
    void keep(std::string_view part);

    const Direction direction_;
    const Seen seen_;
    std::string line_;
    std::size_t size_ = 0;
  };

  Transport& inner_;
  Lines read_;
  Lines written_;
};

}  // namespace toolwire::tools
