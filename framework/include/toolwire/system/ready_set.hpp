// Descriptors that one thread asks for, among others, whether they are ready. Independent of what is read from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::system {

/// What is waited for and told, in bits.
namespace ready {

inline constexpr std::uint32_t to_read = 1;   ///< There is something, or the other side has ended.
inline constexpr std::uint32_t to_write = 2;  ///< Something would be taken.
inline constexpr std::uint32_t failed = 4;    ///< Told without being asked for.

}  // namespace ready

/// A set as of epoll(7), level-triggered, that never waits by itself: its own descriptor is what is waited for.
class ReadySet {
 public:
  enum class Again { always, when_asked };
  /// What is ready, by the tag that it was put in with.
  struct Event {
    std::uint64_t tag = 0;
    std::uint32_t ready = 0;
  };

  /// Throws std::system_error if descriptors have run out.
  ReadySet();

  /// Puts it in, or changes what is wanted of one that is in. With Again::when_asked it is told once, and then not
  /// before it is put in again. False if the system refuses, with errno set.
  bool put(int descriptor, std::uint32_t wanted, std::uint64_t tag, Again again = Again::always) const;
  /// The same for one that is in: false if it is not.
  bool change(int descriptor, std::uint32_t wanted, std::uint64_t tag, Again again) const;
  void take_out(int descriptor) const;

  /// Stores what is ready now and returns how much that is.
  std::size_t look(std::span<Event> into) const;

  /// Readable while `look` would find something.
  [[nodiscard]] int descriptor() const { return epoll_.get(); }

 private:
  [[nodiscard]] bool control(int operation, int descriptor, std::uint32_t wanted, std::uint64_t tag, Again again) const;

  FileDescriptor epoll_;
};

}  // namespace toolwire::system
