// What the calls of a server share, and what several processes may share: used nonces, rates, cut outputs. Implement
// one of these to keep it elsewhere than in this process; tasks have a store of their own, see task_store.hpp. Knows
// nothing of tools, requests or the wire.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "toolwire/done.hpp"
#include "toolwire/rate_window.hpp"

namespace toolwire {

// All stores: thread-safe. No function waits; what it comes to goes to its Done, at once or later. Texts that are
// handed in as views live until the function has returned. A request that waits for a store holds no thread, and can
// be cancelled or reach its deadline meanwhile.

enum class NonceUse { first, again };

/// Which nonces have been used.
class NonceStore {
 public:
  virtual ~NonceStore() = default;
  /// Uses up a nonce, which is not accepted from `expires` on: of all who ever ask, exactly one is told that it is the
  /// first. A store that cannot remember any more says `again`.
  virtual void use(std::string_view nonce, std::chrono::system_clock::time_point expires, Done<NonceUse> done) = 0;
};

/// How many calls of each key there were in the last minute.
class RateStore {
 public:
  using Wait = RateWindow::Wait;

  virtual ~RateStore() = default;
  /// How long until a call is allowed; nothing if one is allowed now.
  virtual void look(const std::string& key, std::int64_t per_minute, Done<Wait> done) = 0;
  /// The same, and counts the call if it is allowed.
  virtual void charge(const std::string& key, std::int64_t per_minute, Done<Wait> done) = 0;
};

/// Texts that were too long for a result, kept for a while so that they can be read on.
class OutputStore {
 public:
  virtual ~OutputStore() = default;
  /// Keeps a text under an unguessable id: letters, digits, '-' and '_'. An empty id: there is no room for
  /// it.
  virtual void keep(std::string_view text, Done<std::string> done) = 0;
  /// Null if there is no such text, or no more.
  virtual void find(std::string_view id, Done<std::shared_ptr<const std::string>> done) = 0;
};

// In the memory of this process. They answer at once and, but for what they keep, allocate nothing.

/// `bound`: nonces that are remembered at once.
std::shared_ptr<NonceStore> memory_nonce_store(std::size_t bound = 65'536);
std::shared_ptr<RateStore> memory_rate_store();
/// `room` in bytes of text: the oldest texts go first. 0: nothing is kept.
std::shared_ptr<OutputStore> memory_output_store(std::size_t room);

/// The stores of a server. Where one cannot be used a request fails with the code `unavailable`; a text that cannot be
/// kept is cut all the same.
struct Stores {
  /// Answers that count once (ToolInfo::single_use_answers). Empty: a file that all processes of this user share.
  std::shared_ptr<NonceStore> used_answers = {};
  /// Calls that come again with answers were charged when they began, and are free once. Empty: in memory.
  std::shared_ptr<NonceStore> continuations = {};
  std::shared_ptr<RateStore> rates = {};      // ToolInfo::rate_per_minute; empty: in memory
  std::shared_ptr<OutputStore> outputs = {};  // empty: in memory, as much as ServerOptions::kept_output
};

}  // namespace toolwire
