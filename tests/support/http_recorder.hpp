// An HTTP client and server in one, without any I/O: requests as a client would send them, and an exchange that keeps
// what comes.
#pragma once

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <toolwire/http/handler.hpp>
#include <toolwire/json.hpp>
#include <utility>
#include <vector>

namespace toolwire::test {

/// Options under which an answer that is not asked to be a stream is none, however slow the machine is.
inline http::HandlerOptions patient(http::HandlerOptions options = {}) {
  if (options.stream_after == http::HandlerOptions().stream_after) options.stream_after = std::chrono::hours(1);
  return options;
}

/// Keeps an answer. Waiting gives up after a time in which everything has long happened.
class HttpRecorder final : public http::Exchange {
 public:
  void start(const http::Head& head) override {
    const std::lock_guard lock(mutex_);
    expect(head_.status == 0, "started twice");
    head_ = head;
    changed_.notify_all();
  }
  void write(std::string_view bytes) override {
    if (on_write) on_write();
    const std::lock_guard lock(mutex_);
    expect(head_.status != 0, "written to before the start");
    expect(!finished_, "written to after the end");
    body_.append(bytes);
    changed_.notify_all();
  }
  void finish() override {
    const std::lock_guard lock(mutex_);
    expect(!finished_, "finished twice");
    finished_ = true;
    changed_.notify_all();
  }
  bool is_behind() const override {
    const std::lock_guard lock(mutex_);
    return behind_;
  }
  void set_behind(bool behind) {
    const std::lock_guard lock(mutex_);
    behind_ = behind;
  }

  /// The status, once all is over.
  int status() {
    wait([this] { return finished_; });
    return head_.status;
  }
  std::string body() {
    wait([this] { return finished_; });
    return body_;
  }
  Json json() { return parse_json(body()); }
  http::Head head() {
    wait([this] { return head_.status != 0; });
    return head_;
  }
  std::string field(std::string_view name) {
    const http::Head head = this->head();
    for (const auto& field : head.fields) {
      if (field.name == name) return field.value;
    }
    return {};
  }
  bool is_stream() { return field("Content-Type") == "text/event-stream"; }
  /// What a text has been written to by now.
  std::string so_far() {
    const std::lock_guard lock(mutex_);
    return body_;
  }
  bool wait_for(std::string_view text) {
    return wait([&] { return body_.find(text) != std::string::npos; });
  }
  bool is_finished() {
    const std::lock_guard lock(mutex_);
    return finished_;
  }
  /// The messages of a stream that is over, in their order.
  std::vector<Json> events() { return events_in(body()); }
  static std::vector<Json> events_in(std::string_view text) {
    std::vector<Json> events;
    while (!text.empty()) {
      const std::size_t end = text.find("\n\n");
      BOOST_REQUIRE(end != std::string_view::npos);
      if (text.starts_with("data: ")) events.push_back(parse_json(text.substr(6, end - 6)));
      text.remove_prefix(end + 2);
    }
    return events;
  }

  std::function<void()> on_write = {};

 private:
  /// On any thread, which Boost.Test's own checks are not for: what is wrong is said where a test waits.
  void expect(bool holds, const char* otherwise) {
    if (!holds) mistake_ = otherwise;
  }
  template <class Predicate>
  bool wait(Predicate predicate) {
    std::unique_lock lock(mutex_);
    const bool came = changed_.wait_for(lock, std::chrono::seconds(20), predicate);
    BOOST_TEST(came, "nothing came in time; so far: " + body_);
    BOOST_TEST(mistake_.empty(), mistake_);
    return came;
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  http::Head head_;
  std::string body_;
  std::string mistake_;
  bool finished_ = false;
  bool behind_ = false;
};

/// Sets a field, in the place of one of that name.
inline http::Request& with(http::Request& request, std::string_view name, std::string value) {
  for (auto& field : request.fields) {
    if (field.name == name) return field.value = std::move(value), request;
  }
  request.fields.push_back({std::string(name), std::move(value)});
  return request;
}
inline http::Request& without(http::Request& request, std::string_view name) {
  std::erase_if(request.fields, [&](const http::Field& field) { return field.name == name; });
  return request;
}

inline http::Request post_of(std::string body) {
  return {.method = "POST",
          .target = "/mcp",
          .fields = {{"Host", "127.0.0.1:8080"},
                     {"Content-Type", "application/json"},
                     {"Accept", "application/json, text/event-stream"}},
          .body = std::move(body)};
}

/// A request of 2026-07-28 with all that belongs to it. `meta`: more members of `_meta`.
inline http::Request modern(const std::string& method, JsonObject params = {}, JsonObject meta = {},
                            JsonObject capabilities = {}, Json id = 1) {
  meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28";
  meta["io.modelcontextprotocol/clientCapabilities"] = std::move(capabilities);
  std::string name;
  for (const char* const member : {"name", "uri", "taskId"}) {
    if (const Json* const value = params.if_contains(member); value != nullptr && value->is_string())
      name = value->get_string();
  }
  params["_meta"] = std::move(meta);
  http::Request request = post_of(to_json_text(
      JsonObject{{"jsonrpc", "2.0"}, {"id", std::move(id)}, {"method", method}, {"params", std::move(params)}}));
  with(request, "MCP-Protocol-Version", "2026-07-28");
  with(request, "Mcp-Method", method);
  if (!name.empty()) with(request, "Mcp-Name", name);
  return request;
}

inline http::Request modern_call(const std::string& tool, JsonObject arguments = {}, JsonObject meta = {},
                                 JsonObject capabilities = {}) {
  return modern("tools/call", {{"name", tool}, {"arguments", std::move(arguments)}}, std::move(meta),
                std::move(capabilities));
}

inline std::shared_ptr<HttpRecorder> send(http::Handler& handler, http::Request request) {
  auto exchange = std::make_shared<HttpRecorder>();
  handler.handle(std::move(request), exchange);
  return exchange;
}

/// The status and the code of the error, as "400 -32020"; 0 for no error.
inline std::string outcome(http::Handler& handler, http::Request request) {
  const auto answer = send(handler, std::move(request));
  const std::string body = answer->body();
  const Json said = body.empty() ? Json(JsonObject()) : parse_json(body);
  const Json* const error = said.as_object().if_contains("error");
  return std::to_string(answer->status()) + " " +
         (error == nullptr ? std::string("0") : to_json_text(error->at("code")));
}

}  // namespace toolwire::test
