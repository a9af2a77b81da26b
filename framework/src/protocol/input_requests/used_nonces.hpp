// Which sealed states have been used, where answers count once only (ToolInfo::single_use_answers). A state may come
// back to another process of the same server, so what is used up is kept in a file beside the key.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "toolwire/stores.hpp"

namespace toolwire::protocol {

enum class Spending { spent_now, spent_before, impossible };

/// The nonces that were used and have not expired, in the file at `path`, which is made when it is missing: 0600, a
/// regular file of this user's, locked while it is looked at. Thread-safe; so are several on one file, in any
/// processes.
class UsedNonces {
 public:
  using Clock = std::chrono::system_clock;
  explicit UsedNonces(std::string path) : path_(std::move(path)) {}

  /// Uses up a nonce. `impossible`: the file cannot be read or written, or others hold it for longer than `patience`;
  /// the caller must then act as if it was spent before.
  Spending spend(std::string_view nonce, Clock::time_point expires, Clock::time_point now) const;

  static constexpr std::chrono::milliseconds patience{500};

 private:
  const std::string path_;
};

/// The nonces of all processes that share the key: in the file beside it; in memory if the key exists in this process
/// only, where a file would be of no use.
std::shared_ptr<NonceStore> shared_nonce_store();

}  // namespace toolwire::protocol
