// Which sealed states have been used, where answers count once only (ToolInfo::single_use_answers). A state may come
// back to another process of the same server, so what is used up is kept in a file beside the key.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "toolwire/stores.hpp"

namespace toolwire::protocol {

enum class Spending { spent_now, spent_before, impossible, lost };

/// The file's name beside the key. It stays, so that states used before an update count as used after it.
inline constexpr std::string_view used_nonces_name = "spent-states";

/// The nonces that were used and have not expired, in the file at `path`: 0600, a regular file of this user's, locked
/// while it is looked at. Thread-safe; so are several on one file, in any processes.
class UsedNonces {
 public:
  using Clock = std::chrono::system_clock;
  explicit UsedNonces(std::string path) : path_(std::move(path)) {}

  /// Makes the file, without nonces, unless something is there. Whether that worked shows when one is spent.
  void make() const;

  /// Uses up a nonce. `impossible`: the file cannot be read or written, or others hold it for longer than `patience`.
  /// `lost`: the file is missing, or shorter than it was, so that nobody knows what is used. With both the caller must
  /// act as if it was spent before.
  Spending spend(std::string_view nonce, Clock::time_point expires, Clock::time_point now) const;

  static constexpr std::chrono::milliseconds patience{500};

 private:
  const std::string path_;
};

/// The nonces of all processes that share the key: in the file beside it, and those of this process also in memory,
/// where they count whatever happens to the file. In memory only if no other process has the key.
std::shared_ptr<NonceStore> shared_nonce_store();

}  // namespace toolwire::protocol
