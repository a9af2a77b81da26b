// A descriptor that another thread makes readable, to end a wait in poll(2).
#pragma once

#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::system {

/// Set from any thread; cleared by the one that waits.
class WakeEvent {
 public:
  /// Throws std::system_error if descriptors have run out.
  WakeEvent();

  /// Readable from `set` to `clear`; does not block.
  [[nodiscard]] int descriptor() const { return event_.get(); }

  void set() const noexcept;
  void clear() const noexcept;

 private:
  FileDescriptor event_;
};

}  // namespace toolwire::system
