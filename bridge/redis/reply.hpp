// What Redis answers (RESP2), read with hiredis' reader from bytes as they come, within bounds. Independent of where
// the bytes are from and of what was asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct redisReader;

namespace toolwire::redis {

/// A plain value.
struct Reply {
  enum class Kind { nil, text, status, number, list, error };

  Kind kind = Kind::nil;
  std::string text = {};  ///< Of a text, status or error.
  std::int64_t number = 0;
  std::vector<Reply> list = {};
};

/// Bytes in, replies out. Not thread-safe.
class ReplyReader {
 public:
  /// `max_bytes`: of one reply.
  explicit ReplyReader(std::size_t max_bytes);
  ReplyReader(const ReplyReader&) = delete;
  ReplyReader& operator=(const ReplyReader&) = delete;

  void feed(std::string_view bytes);
  /// The next whole reply, if there is one. Throws std::runtime_error, saying what is wrong, for bytes that are none:
  /// then the reader is not to be used any more.
  std::optional<Reply> next();

  static constexpr std::size_t max_elements = 1'024;  ///< Of one reply, those in lists of lists included.
  static constexpr std::size_t max_depth = 7;         ///< Lists around an element.

  /// What the reply that is being read has come to.
  struct Read {
    std::size_t elements = 0;
    bool is_too_deep = false;
  };

 private:
  struct Free {
    void operator()(redisReader* reader) const;
  };

  const std::size_t max_bytes_;
  std::size_t unfinished_ = 0;  // bytes since the last whole reply
  Read read_;
  std::unique_ptr<redisReader, Free> reader_;
};

/// A command as it is sent.
std::string command_text(std::span<const std::string_view> arguments);

}  // namespace toolwire::redis
