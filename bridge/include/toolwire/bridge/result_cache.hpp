// Remembers what tools returned, so that equal calls run once. A middleware for any toolwire server; it is told which
// tools may be remembered and never guesses.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <toolwire/middleware.hpp>

namespace toolwire::bridge {

struct ResultCacheSettings {
  /// How long results of this tool are good; zero: not remembered. Asked for every call. A tool that asks for approval
  /// must not be remembered: the answer would come without the question.
  std::function<std::chrono::milliseconds(const ToolInfo&)> time_to_live = {};
  std::size_t max_bytes = 64u << 20;      // of all results and arguments; the longest unused goes first
  std::size_t largest_result = 1u << 20;  // bytes; larger ones are not remembered
  std::function<void(const std::string& tool)> on_hit = {};
  std::function<std::chrono::steady_clock::time_point()> now = {};  // steady_clock::now if not given
};

/// Only complete results without `isError` are remembered, by caller (Context::caller), tool and canonical arguments
/// (members in any order; `_reasoningForCall` does not count). Calls that carry answers of the user are not.
/// Thread-safe.
class ResultCache {
 public:
  explicit ResultCache(ResultCacheSettings settings);
  ~ResultCache();
  ResultCache(const ResultCache&) = delete;
  ResultCache& operator=(const ResultCache&) = delete;

  std::optional<ToolResult> find(const std::string& tool, const Json& arguments, std::string_view caller = {});
  /// `generation` as it was when the call began: a result from before `clear` is not kept.
  void keep(const std::string& tool, const Json& arguments, const AnyOutcome& outcome, std::chrono::milliseconds time,
            std::uint64_t generation, std::string_view caller = {});
  std::uint64_t generation() const;
  const ResultCacheSettings& settings() const;
  /// Forgets everything, including what calls under way will return: the tools have changed.
  void clear();
  std::size_t bytes() const;

 private:
  class Entries;
  std::unique_ptr<Entries> entries_;
};

/// For Server::around_call. Put it inside what counts and records calls.
Middleware cached(std::shared_ptr<ResultCache> cache);

}  // namespace toolwire::bridge
