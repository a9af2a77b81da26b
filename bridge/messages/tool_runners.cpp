#include <utility>

#include <toolwire/bridge/tool_turn.hpp>
#include <toolwire/error.hpp>
#include <toolwire/json_members.hpp>

#include "messages/block_text.hpp"
#include "registry/call_fields.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {
namespace {

/// The parts of a result for programs and people: its details, the code of its error, its structured content.
JsonObject details_in(const JsonObject& meta, const std::optional<Json>& structured) {
  JsonObject details;
  if (const Json* own = meta.if_contains("dev.toolwire/details"); own != nullptr && own->is_object())
    details = own->get_object();
  if (const Json* error = meta.if_contains("dev.toolwire/error"); error != nullptr && error->is_object()) {
    if (const Json* code = error->get_object().if_contains("code")) details["code"] = *code;
  }
  if (structured) details["structured"] = *structured;
  return details;
}

/// The text of a result; of one that has only structured content, that.
ToolAnswer answer_of(std::string text, bool is_error, const JsonObject& meta, const std::optional<Json>& structured) {
  if (text.empty() && structured) text = to_json_text(*structured);
  return {is_error, std::move(text), details_in(meta, structured)};
}

std::vector<ImageBlock> images_in(const JsonArray& blocks) {
  std::vector<ImageBlock> images;
  for (const Json& block : blocks) {
    if (text_or(block, "type") == "image") images.push_back({text_or(block, "mimeType"), text_or(block, "data")});
  }
  return images;
}

ToolAnswer answer_of(const CallResult& result) {
  static const JsonObject none;
  const JsonObject* whole = result.raw.if_object();
  const Json* meta = whole == nullptr ? nullptr : whole->if_contains("_meta");
  ToolAnswer answer = answer_of(text_of_blocks(result.content), result.is_error,
                                meta != nullptr && meta->is_object() ? meta->get_object() : none, result.structured);
  answer.images = images_in(result.content);
  return answer;
}

ToolAnswer answer_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const CancelledError& cancelled) {
    return {true, cancelled.what(), JsonObject{{"code", "cancelled"}}};
  } catch (const TimeoutError& late) {
    return {true, late.what(), JsonObject{{"code", "timeout"}}};
  } catch (const ConnectionError& broken) {
    return {true, std::string("The server of this tool cannot be reached: ") + broken.what(),
            JsonObject{{"code", "unavailable"}}};
  } catch (const std::exception& other) {
    return {true, other.what(), JsonObject{{"code", "refused"}}};
  }
}

class RegistryRunner final : public ToolRunner {
 public:
  explicit RegistryRunner(Registry& registry) : registry_(registry) {}

  void start(const ToolCallBlock& call, const CallSettings& settings, Done done) override {
    auto ended = [done](const CompletedCall& completed) {
      const ToolResult& result = completed.result;
      done(answer_of(text_of_content(result.content), result.is_error, result.meta, result.structured));
    };
    try {
      registry_.start(call_in(call), ended, settings);
    } catch (const InvalidArguments& error) {
      done({true, error.what(), JsonObject{{"code", "invalid_arguments"}}});
    }
  }

 private:
  /// An unknown tool is left to the registry, which reports it.
  Call call_in(const ToolCallBlock& block) const {
    const ToolPointer tool = registry_.tools().find(block.name);
    if (!tool) return {.tool = block.name, .parameters = block.input};
    return split_call(*tool, registry_.resolve(tool->definition), block.input, Identity::optional);
  }

  Registry& registry_;
};

/// Keeps a call of a client until it ends: the handle, so that its questions are answered, and the stop callback.
class WatchedCall {
 public:
  void watch(CallHandle handle, const std::stop_token& stop) {
    auto stopping = std::make_unique<Stopping>(stop, Cancel{handle});
    const MutexLock lock(mutex_);
    if (over_) return;
    handle_.emplace(std::move(handle));
    stopping_ = std::move(stopping);
  }
  void end() {
    std::unique_ptr<Stopping> stopping;
    std::optional<CallHandle> handle;
    const MutexLock lock(mutex_);
    over_ = true;
    stopping.swap(stopping_);
    handle.swap(handle_);
  }

 private:
  struct Cancel {
    CallHandle handle;
    void operator()() { handle.cancel("the turn was stopped"); }
  };
  using Stopping = std::stop_callback<Cancel>;

  Mutex mutex_;
  bool over_ TOOLWIRE_GUARDED_BY(mutex_) = false;
  std::optional<CallHandle> handle_ TOOLWIRE_GUARDED_BY(mutex_);
  std::unique_ptr<Stopping> stopping_ TOOLWIRE_GUARDED_BY(mutex_);
};

class ClientRunner final : public ToolRunner {
 public:
  explicit ClientRunner(Client& client) : client_(client) {}

  void start(const ToolCallBlock& call, const CallSettings& settings, Done done) override {
    CallOptions options{.meta = settings.meta};
    if (settings.on_progress) {
      options.on_progress = [report = settings.on_progress](const ProgressReport& progress) {
        report(progress.progress, progress.total, progress.message);
      };
    }
    auto watched = std::make_shared<WatchedCall>();
    CallHandle handle =
        client_.start_call(call.name, call.input, std::move(options), [watched, done](CallOutcome&& outcome) {
          watched->end();
          done(std::visit([](const auto& one) { return answer_of(one); }, outcome));
        });
    watched->watch(std::move(handle), settings.stop);
  }

 private:
  Client& client_;
};

}  // namespace

std::shared_ptr<ToolRunner> tools_of(Registry& registry) { return std::make_shared<RegistryRunner>(registry); }
std::shared_ptr<ToolRunner> tools_of(Client& client) { return std::make_shared<ClientRunner>(client); }

}  // namespace toolwire::bridge
