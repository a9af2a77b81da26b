// Assembles the provider: access control, discovery, execution.
#include <toolwire/bridge/http_provider.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <set>
#include <stdexcept>
#include <utility>

#include "http/call_in_hand.hpp"
#include "http/calls_under_way.hpp"
#include "http/execution.hpp"
#include "http/guard.hpp"
#include "http/listener.hpp"
#include "http/published.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {
namespace {

using http::Answer;
using http::Published;
using http::Request;

std::string without_brackets(const std::string& host) {
  return host.starts_with('[') && host.ends_with(']') ? host.substr(1, host.size() - 2) : host;
}

HttpProviderOptions checked(HttpProviderOptions options) {
  if (options.token.empty() && !http::is_loopback(options.host)) {
    throw std::invalid_argument(
        fmt::format("{} is not this machine alone: expected a token, or an address like 127.0.0.1", options.host));
  }
  if (options.max_connections == 0 || options.max_calls >= options.max_connections) {
    throw std::invalid_argument("expected fewer calls at once than connections");
  }
  options.host = without_brackets(options.host);
  return options;
}

bool is_json(const Request& request) {
  const auto type = request.header("content-type");
  return type && (*type == "application/json" || type->starts_with("application/json;"));
}

/// Refuses an execution before its body is read.
std::optional<Answer> refused_body(const Request& request) {
  if (!is_json(request))
    return http::failed_execution(415, "invalid_request", "expected Content-Type: application/json");
  if (request.has("content-encoding")) {
    return http::failed_execution(415, "invalid_request", "expected a body that is not compressed");
  }
  return {};
}

}  // namespace

class HttpProvider::Parts {
 public:
  Parts(HttpProviderOptions options, Source source, Execute execute, std::vector<HttpPage> pages)
      : pages_(std::move(pages)),
        options_(checked(std::move(options))),
        source_(std::move(source)),
        execute_(std::move(execute)),
        rules_{http::accepted_hosts(options_.host, options_.host_names), options_.origins, options_.token},
        calls_(options_.max_calls),
        listener_(
            {options_.max_body, options_.max_connections, options_.request_time, options_.answer_time},
            [this](const Request& request) { return before_body(request); },
            [this](const Request&, const std::string& body, int socket) { return run_tool(body, socket); }) {}

  int listen() {
    const auto port = listener_.listen(options_.host, options_.port);
    if (port) return *port;
    throw std::runtime_error(
        fmt::format("cannot listen on {}:{}: {}", options_.host, options_.port, std::strerror(errno)));
  }
  void run() {
    listener_.run();
    calls_.wait_for_watch();
  }
  void stop() {
    calls_.stop_after(options_.drain);
    listener_.stop();
  }

 private:
  std::optional<Answer> before_body(const Request& request) {
    const auto page = std::ranges::find(pages_, request.path, &HttpPage::path);
    http::GuardRules rules = rules_;
    if (page != pages_.end() && page->open) rules.token.clear();
    if (auto refused = http::refusal(request, rules)) return refused;
    if (page != pages_.end()) return answer_page(request, *page);
    if (http::is_execution(request)) return refused_body(request);
    return http::answer_discovery(request, published().get());
  }

  /// What is in it is of now, and no other page may show it or take part in it.
  static Answer answer_page(const Request& request, const HttpPage& page) {
    if (request.method != "GET" && request.method != "HEAD") {
      Answer refused = http::error_answer(405, "expected GET, HEAD");
      refused.headers.emplace_back("Allow", "GET, HEAD");
      return refused;
    }
    return {200,
            {{"Content-Type", page.type},
             {"Cache-Control", "no-store"},
             {"Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'"}},
            page.text()};
  }

  Answer run_tool(const std::string& body, int socket) {
    auto read = http::read_execution(body);
    if (auto* const answer = std::get_if<Answer>(&read)) return *answer;
    auto& execution = std::get<http::Execution>(read);
    const auto current = published();
    if (current == nullptr) return http::failed_execution(503, "unavailable", "scenario is unavailable");
    if (current->tool(execution.tool) == nullptr) {
      return http::failed_execution(404, "unknown_tool", "tool not found: " + execution.tool);
    }
    const auto call = calls_.begin();
    if (!call) return busy();
    return run_call(std::move(execution), call->stop(), socket);
  }

  Answer run_call(http::Execution execution, std::stop_source stop, int socket) {
    const auto result = std::make_shared<http::CallInHandResult>();
    // A tool that does not stop is left behind: its result is dropped.
    const std::stop_callback left(stop.get_token(),
                                  [result] { result->set(failure("cancelled", "the provider is stopping", true)); });
    execute_(execution.tool, std::move(execution.arguments), stop.get_token(),
             [result](ToolResult value) { result->set(std::move(value)); });
    const auto value = http::wait_for_result(*result, socket, stop);
    return value ? http::answer_execution(*value) : http::failed_execution(503, "cancelled", "the client has gone");
  }

  static Answer busy() {
    Answer answer = http::failed_execution(503, "busy", "too many calls are running; try again later");
    answer.headers.emplace_back("Retry-After", "1");
    return answer;
  }

  /// The bodies, made once for each manifest.
  std::shared_ptr<const Published> published() {
    const auto manifest = source_();
    const MutexLock lock(mutex_);
    if (manifest != manifest_ || (manifest != nullptr && published_ == nullptr)) {
      published_ = manifest == nullptr ? nullptr : std::make_shared<const Published>(*manifest);
      manifest_ = manifest;
    }
    return published_;
  }

  const std::vector<HttpPage> pages_;
  const HttpProviderOptions options_;
  const Source source_;
  const Execute execute_;
  const http::GuardRules rules_;
  Mutex mutex_;
  std::shared_ptr<const Manifest> manifest_ TOOLWIRE_GUARDED_BY(mutex_);
  std::shared_ptr<const Published> published_ TOOLWIRE_GUARDED_BY(mutex_);
  http::CallsUnderWay calls_;
  http::Listener listener_;
};

HttpProvider::HttpProvider(HttpProviderOptions options, Source source, Execute execute, std::vector<HttpPage> pages)
    : parts_(std::make_unique<Parts>(std::move(options), std::move(source), std::move(execute), std::move(pages))) {}
HttpProvider::~HttpProvider() = default;

int HttpProvider::listen() { return parts_->listen(); }
void HttpProvider::run() { parts_->run(); }
void HttpProvider::stop() { parts_->stop(); }

}  // namespace toolwire::bridge
