#include <algorithm>
#include <list>
#include <map>
#include <optional>
#include <utility>

#include <toolwire/bridge/result_cache.hpp>

#include "policy/canonical_json.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t cost_of_entry = 256;  // beside texts and bytes

std::size_t size_of(const Content& content) {
  return std::visit(
      [](const auto& item) -> std::size_t {
        using Item = std::remove_cvref_t<decltype(item)>;
        if constexpr (std::is_same_v<Item, TextContent>) {
          return item.text.size();
        } else if constexpr (std::is_same_v<Item, ImageContent> || std::is_same_v<Item, AudioContent>) {
          return item.bytes.size();
        } else if constexpr (std::is_same_v<Item, EmbeddedResource>) {
          return item.contents.size() + item.uri.size();
        } else if constexpr (std::is_same_v<Item, Json>) {
          return to_json_text(item).size();
        } else {
          return item.uri.size() + item.name.size() + item.title.size() + item.description.size();
        }
      },
      content.item);
}

std::size_t size_of(const ToolResult& result) {
  std::size_t size = cost_of_entry;
  for (const Content& content : result.content) size += size_of(content) + sizeof(Content);
  if (result.structured) size += to_json_text(*result.structured).size();
  if (!result.meta.empty()) size += to_json_text(result.meta).size();
  return size;
}

std::string key_of(const std::string& tool, Json arguments, std::string_view caller) {
  if (auto* const object = arguments.if_object()) object->erase("_reasoningForCall");
  std::string key;
  if (!caller.empty()) key.append(caller).append("\n");
  return key.append(tool).append("\n").append(canonical_text(arguments));
}

}  // namespace

class ResultCache::Entries {
 public:
  explicit Entries(ResultCacheSettings given) : settings(std::move(given)) {}

  const ResultCacheSettings settings;

  Clock::time_point now() const { return settings.now ? settings.now() : Clock::now(); }

  std::optional<ToolResult> find(const std::string& key) {
    const MutexLock lock(mutex_);
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return std::nullopt;
    if (now() >= found->second->good_until) {
      erase(found->second);
      return std::nullopt;
    }
    order_.splice(order_.begin(), order_, found->second);
    return found->second->result;
  }

  /// `generation` is that of when the call began.
  void keep(const std::string& key, const ToolResult& result, std::chrono::milliseconds time,
            std::uint64_t generation) {
    const std::size_t size = size_of(result) + 2 * key.size();
    if (size > std::min(settings.largest_result, settings.max_bytes)) return;
    const MutexLock lock(mutex_);
    if (generation != generation_) return;
    if (const auto old = by_key_.find(key); old != by_key_.end()) erase(old->second);
    while (bytes_ + size > settings.max_bytes) erase(std::prev(order_.end()));
    order_.push_front({key, result, now() + time, size});
    by_key_.emplace(key, order_.begin());
    bytes_ += size;
  }

  void clear() {
    const MutexLock lock(mutex_);
    ++generation_;
    by_key_.clear();
    order_.clear();
    bytes_ = 0;
  }

  std::uint64_t generation() const {
    const MutexLock lock(mutex_);
    return generation_;
  }

  std::size_t bytes() const {
    const MutexLock lock(mutex_);
    return bytes_;
  }

 private:
  struct Entry {
    std::string key;
    ToolResult result;
    Clock::time_point good_until;
    std::size_t size;
  };

  void erase(std::list<Entry>::iterator entry) TOOLWIRE_REQUIRES(mutex_) {
    bytes_ -= entry->size;
    by_key_.erase(entry->key);
    order_.erase(entry);
  }

  mutable Mutex mutex_;
  std::uint64_t generation_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  std::size_t bytes_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
  std::list<Entry> order_ TOOLWIRE_GUARDED_BY(mutex_);  // the last used first
  std::map<std::string, std::list<Entry>::iterator> by_key_ TOOLWIRE_GUARDED_BY(mutex_);
};

ResultCache::ResultCache(ResultCacheSettings settings) : entries_(std::make_unique<Entries>(std::move(settings))) {}
ResultCache::~ResultCache() = default;
void ResultCache::clear() { entries_->clear(); }
std::size_t ResultCache::bytes() const { return entries_->bytes(); }
std::uint64_t ResultCache::generation() const { return entries_->generation(); }
const ResultCacheSettings& ResultCache::settings() const { return entries_->settings; }

std::optional<ToolResult> ResultCache::find(const std::string& tool, const Json& arguments, std::string_view caller) {
  auto found = entries_->find(key_of(tool, arguments, caller));
  if (found && settings().on_hit) settings().on_hit(tool);
  return found;
}

void ResultCache::keep(const std::string& tool, const Json& arguments, const AnyOutcome& outcome,
                       std::chrono::milliseconds time, std::uint64_t generation, std::string_view caller) {
  const auto* const result = std::get_if<ToolResult>(&outcome);
  if (result != nullptr && !result->is_error) {
    entries_->keep(key_of(tool, arguments, caller), *result, time, generation);
  }
}

Middleware cached(std::shared_ptr<ResultCache> cache) {
  return [cache = std::move(cache)](CallRequest& request, Context& context, Next next) {
    const ResultCacheSettings& settings = cache->settings();
    const auto time = settings.time_to_live ? settings.time_to_live(request.info) : std::chrono::milliseconds(0);
    if (time.count() <= 0 || !context.answers().empty()) return next();
    std::string caller(context.principal().id);
    if (auto result = cache->find(request.tool, request.arguments, caller)) return next.answer(std::move(*result));
    next.then([cache, time, tool = request.tool, arguments = request.arguments, caller = std::move(caller),
               began = cache->generation()](AnyOutcome& outcome) {
      cache->keep(tool, arguments, outcome, time, began, caller);
    });
  };
}

}  // namespace toolwire::bridge
