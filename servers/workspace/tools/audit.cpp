#include "workspace/tools/audit.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <string_view>
#include <system_error>
#include <toolwire/json.hpp>
#include <toolwire/system/appended_file.hpp>
#include <utility>

#include "workspace/system/file_state.hpp"

namespace workspace {
namespace {

using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;
using Clock = std::chrono::steady_clock;

constexpr std::array<std::string_view, 4> written{"content", "oldText", "newText", "replacement"};
constexpr std::size_t max_value = 1000;

// Any thread: a line is one write, and the system appends those whole.
class AuditFile {
 public:
  explicit AuditFile(const std::string& path) : path_(path), lines_(path) {
    if (!lines_.open()) throw std::system_error(errno, toolwire::system::appending(), path_);
  }

  // The file from before is written to if there can be no other: one that is confined may not make files.
  void append(const JsonObject& entry) {
    const std::string line = toolwire::to_json_text(Json(entry));
    const std::lock_guard lock(mutex_);
    const bool is_in_place = lines_.is_in_place() || lines_.open();
    if (!is_in_place) complain("cannot be made anew, and is written to where it is now");
    if (!lines_.append(line)) return is_lost();
    complained_ = !is_in_place;
    if (lost_ > 0)
      std::fprintf(stderr, "workspace: the audit file %s is written again; calls that are not in it: %zu\n",
                   path_.c_str(), std::exchange(lost_, 0));
  }

  ~AuditFile() {
    if (lost_ > 0)
      std::fprintf(stderr, "workspace: the audit file %s: calls that are not in it: %zu\n", path_.c_str(), lost_);
  }
  AuditFile(const AuditFile&) = delete;
  AuditFile& operator=(const AuditFile&) = delete;

 private:
  void is_lost() {
    complain("cannot be written");
    ++lost_;
  }

  // With the reason in errno.
  void complain(const char* what) {
    if (!std::exchange(complained_, true))
      std::fprintf(stderr, "workspace: the audit file %s %s: %s\n", path_.c_str(), what,
                   toolwire::system::appending().message(errno).c_str());
  }

  const std::string path_;
  std::mutex mutex_;
  toolwire::system::AppendedLines lines_;
  bool complained_ = false;
  std::size_t lost_ = 0;  // calls, since the last line that was written
};

// Arguments without what they would write, nor anything longer than a path.
Json summary(const Json& value, std::string_view name) {
  if (const JsonObject* object = value.if_object()) {
    JsonObject result;
    for (const auto& member : *object) result[member.key()] = summary(member.value(), member.key());
    return result;
  }
  if (const JsonArray* array = value.if_array()) {
    JsonArray result;
    for (const Json& item : *array) result.push_back(summary(item, name));
    return result;
  }
  if (!value.is_string()) return value;
  const bool is_written = std::find(written.begin(), written.end(), name) != written.end();
  const std::size_t size = value.get_string().size();
  return is_written || size > max_value ? Json(JsonObject{{"bytes", size}}) : value;
}

bool failed(const toolwire::AnyOutcome& outcome) {
  const auto* result = std::get_if<toolwire::ToolResult>(&outcome);
  return result != nullptr && result->is_error;
}

std::string now() {
  const auto time = std::chrono::system_clock::now().time_since_epoch();
  return time_text(std::chrono::duration_cast<std::chrono::nanoseconds>(time).count());
}

}  // namespace

toolwire::Middleware audit_to(const std::string& path) {
  return [file = std::make_shared<AuditFile>(path)](toolwire::CallRequest& call, toolwire::Context& context,
                                                    toolwire::Next next) {
    JsonObject entry{{"time", now()}, {"tool", call.tool}, {"arguments", summary(call.arguments, "")}};
    if (const Json* name = context.client_info().if_contains("name")) entry["client"] = *name;
    next.then([file, entry, begin = Clock::now()](toolwire::AnyOutcome& outcome) {
      JsonObject line = entry;
      line["outcome"] = failed(outcome) ? "error" : "ok";
      line["ms"] = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
      file->append(line);
    });
  };
}

}  // namespace workspace
