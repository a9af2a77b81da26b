// Our requests to a legacy client, and what is to be done with the answers. Blocks no thread. Independent of what they
// ask.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "jsonrpc/message.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::runtime {

/// Thread-safe. Ids are integers from 1 and never used twice.
///
/// On the wire an id is that number, or, with a `prefix`, the text "PREFIX-NUMBER": where the peer answers in another
/// place than it was asked in, this says which, and can only be known by who was asked.
class Outgoing {
 public:
  using Then = std::function<void(jsonrpc::Response&&)>;
  explicit Outgoing(std::size_t bound, std::string prefix = {}) : bound_(bound), prefix_(std::move(prefix)) {}

  /// The id as JSON.
  std::string text_of(std::uint64_t id) const {
    return prefix_.empty() ? std::to_string(id) : "\"" + prefix_ + "-" + std::to_string(id) + "\"";
  }
  /// What the key of an id with a prefix begins with, or nothing.
  static std::string_view prefix_in(std::string_view key) {
    const std::size_t end = key.rfind('-');
    return !key.starts_with('"') || end == std::string_view::npos ? std::string_view() : key.substr(1, end - 1);
  }

  /// Takes the next id for a request whose answer goes to `then`; nothing if too many are open.
  std::optional<std::uint64_t> open(Then then) {
    const MutexLock lock(mutex_);
    if (closed_ || waiting_.size() >= bound_) return std::nullopt;
    waiting_.emplace(++last_, std::move(then));
    return last_;
  }

  /// Passes an answer on; returns false if it is not expected (late, or never asked), which is not an error.
  bool answered(jsonrpc::Response&& response) {
    Then then = take(response.id.key());
    if (then) then(std::move(response));
    return static_cast<bool>(then);
  }

  /// No client is there any more: every open request is answered with an error, and no further one is opened.
  void close() {
    std::unordered_map<std::uint64_t, Then> open;
    {
      const MutexLock lock(mutex_);
      closed_ = true;
      open.swap(waiting_);
    }
    for (auto& [id, then] : open) then(jsonrpc::Response{{}, true, {}});
  }

  /// Gives up on a request; returns whether it was still open.
  bool forget(std::uint64_t id) { return static_cast<bool>(take(text_of(id))); }

 private:
  Then take(std::string_view key) {
    if (!prefix_.empty()) {
      if (prefix_in(key) != prefix_ || !key.ends_with('"')) return {};
      key = key.substr(prefix_.size() + 2, key.size() - prefix_.size() - 3);
    }
    const MutexLock lock(mutex_);
    std::uint64_t id = 0;
    const char* const end = key.data() + key.size();
    const auto read = std::from_chars(key.data(), end, id);
    if (read.ec != std::errc() || read.ptr != end) return {};
    auto found = waiting_.find(id);
    if (found == waiting_.end()) return {};
    Then then = std::move(found->second);
    waiting_.erase(found);
    return then;
  }

  const std::size_t bound_;
  const std::string prefix_;
  Mutex mutex_;
  std::uint64_t last_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  bool closed_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::unordered_map<std::uint64_t, Then> waiting_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::runtime
