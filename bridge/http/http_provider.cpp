// Assembles the provider: access control, discovery, execution.
#include <toolwire/bridge/http_provider.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <toolwire/http/site.hpp>

#include <toolwire/system/network_address.hpp>
#include "http/calls_under_way.hpp"
#include "http/execution.hpp"
#include "http/guard.hpp"
#include "http/published.hpp"
#include "http/ranges.hpp"
#include "http/running_call.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::bridge {
namespace {

using http::Answer;
using http::Published;
using http::Request;
using http::RunningCall;
using toolwire::http::Exchange;
using toolwire::http::Reply;
using toolwire::http::SiteServer;

constexpr std::size_t max_head = std::size_t{16} << 10;  // bytes; longer: 431
constexpr unsigned threads_beside_calls = 2;             // for pages, and to say that there are too many calls

HttpProviderOptions checked(HttpProviderOptions options) {
  if (options.token.empty() && !http::is_loopback(options.host)) {
    throw std::invalid_argument(
        fmt::format("{} is not this machine alone: expected a token, or an address like 127.0.0.1", options.host));
  }
  if (options.max_connections == 0 || options.max_calls >= options.max_connections) {
    throw std::invalid_argument("expected fewer calls at once than connections");
  }
  options.host = std::string(system::without_brackets(options.host));
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

Answer not_answered() { return http::error_answer(500, "the request could not be answered"); }

Answer busy() {
  Answer answer = http::failed_execution(503, "busy", "too many calls are running; try again later");
  answer.headers.emplace_back("Retry-After", "1");
  return answer;
}

Answer stopping() {
  Answer answer = http::error_answer(503, "the provider is stopping");
  answer.headers.emplace_back("Retry-After", "1");
  return answer;
}

toolwire::http::SiteOptions site_options(const HttpProviderOptions& options, const std::string& address) {
  return {.address = address,
          .port = static_cast<std::uint16_t>(options.port),
          .max_body = options.max_body,
          .threads = static_cast<unsigned>(options.max_calls) + threads_beside_calls,
          // Calls are stopped after their own drain, and their answers have yet to be taken then.
          .drain = options.drain + options.answer_time,
          .limits = {.connections = options.max_connections,
                     .head = max_head,
                     .head_time = options.request_time,
                     .body_pause = options.request_time,
                     .request_time = options.request_time,
                     .idle = options.request_time,
                     .stalled = options.answer_time,
                     .answer_time = options.answer_time,
                     .idle_gives_way = true}};
}

}  // namespace

class HttpProvider::Parts {
 public:
  Parts(HttpProviderOptions options, Source source, TracedExecute execute, std::vector<HttpPage> pages)
      : pages_(std::move(pages)),
        options_(checked(std::move(options))),
        source_(std::move(source)),
        execute_(std::move(execute)),
        rules_{http::accepted_hosts(options_.host, options_.host_names), options_.origins, options_.token},
        calls_(std::make_shared<http::CallsUnderWay>(options_.max_calls)) {}

  int listen() {
    auto server = opened();
    const MutexLock lock(mutex_);
    server_ = std::move(server);
    if (is_stopping_) server_->stop();
    return server_->port();
  }
  void run() {
    std::shared_ptr<SiteServer> server;
    {
      const MutexLock lock(mutex_);
      server = server_;
    }
    if (!server) throw std::logic_error("a provider listens before it runs");
    server->run();
    calls_->wait_for_watch();
  }
  void stop() {
    is_stopping_ = true;
    calls_->stop_after(options_.drain);
    const MutexLock lock(mutex_);
    if (server_) server_->stop();
  }

 private:
  std::shared_ptr<SiteServer> opened() {
    std::string why = "it has no address";
    try {
      for (const std::string& address : system::addresses_to_listen_on(options_.host)) {
        try {
          return std::make_shared<SiteServer>(site(), site_options(options_, address));
        } catch (const std::system_error& error) {
          why = error.code().message();
        }
      }
    } catch (const std::runtime_error& error) {
      why = error.what();
    }
    throw std::runtime_error(fmt::format("cannot listen on {}:{}: {}", options_.host, options_.port, why));
  }

  toolwire::http::Site site() {
    return {.at_head = [this](const toolwire::http::Request& head) { return answer_to_head(head); },
            .answer = [this](const toolwire::http::Request& request,
                             const std::shared_ptr<Exchange>& exchange) { answer(request, exchange); },
            .refuse = [](int status, std::string_view why) { return reply_of(http::error_answer(status, why)); }};
  }

  /// Nothing for what takes its time: pages, and calls.
  std::optional<Reply> answer_to_head(const toolwire::http::Request& head) {
    std::optional<Answer> answer;
    try {
      answer = before_body(http::request_of(head));
    } catch (const std::exception&) {
      answer = not_answered();
    }
    return answer ? std::optional(reply_of(std::move(*answer))) : std::nullopt;
  }

  std::optional<Answer> before_body(const Request& request) {
    if (auto refused = http::refused_range(request)) return refused;
    const HttpPage* const page = page_at(request.path);
    http::GuardRules rules = rules_;
    if (page != nullptr && page->open) rules.token.clear();
    if (auto refused = http::refusal(request, rules)) return refused;
    if (is_stopping_) return stopping();
    if (page != nullptr) return refused_for_page(request);
    if (http::is_execution(request)) return refused_body(request);
    // A cache in front would hand on what a token was asked for.
    const auto caches = rules_.token.empty() ? http::Caches::shared : http::Caches::of_the_client;
    return http::answer_discovery(request, published().get(), caches);
  }

  void answer(const toolwire::http::Request& request, const std::shared_ptr<Exchange>& exchange) {
    std::optional<Answer> answer;
    try {
      const Request head = http::request_of(request);
      const HttpPage* const page = page_at(head.path);
      answer = page != nullptr ? answer_page(*page) : run_tool(head, request.body, exchange);
    } catch (const std::exception&) {
      answer = not_answered();
    }
    if (answer) send(reply_of(std::move(*answer)), *exchange);
  }

  const HttpPage* page_at(const std::string& path) const {
    const auto page = std::ranges::find(pages_, path, &HttpPage::path);
    return page == pages_.end() ? nullptr : &*page;
  }

  static std::optional<Answer> refused_for_page(const Request& request) {
    if (request.method == "GET" || request.method == "HEAD") return {};
    Answer refused = http::error_answer(405, "expected GET, HEAD");
    refused.headers.emplace_back("Allow", "GET, HEAD");
    return refused;
  }

  /// What is in it is of now, and no other page may show it or take part in it.
  static Answer answer_page(const HttpPage& page) {
    return {200,
            {{"Content-Type", page.type},
             {"Cache-Control", "no-store"},
             {"Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'"}},
            page.text()};
  }

  /// The answer where none comes from the tool.
  std::optional<Answer> run_tool(const Request& head, const std::string& body,
                                 const std::shared_ptr<Exchange>& exchange) {
    auto read = http::read_execution(body);
    if (auto* const answer = std::get_if<Answer>(&read)) return std::move(*answer);
    auto& execution = std::get<http::Execution>(read);
    const auto current = published();
    if (current == nullptr) return http::failed_execution(503, "unavailable", "scenario is unavailable");
    if (current->tool(execution.tool) == nullptr) {
      return http::failed_execution(404, "unknown_tool", "tool not found: " + execution.tool);
    }
    auto place = calls_->begin();
    if (!place) return busy();
    run_call(std::move(execution), http::trace_of(head), std::make_shared<RunningCall>(exchange, std::move(place)));
    return {};
  }

  /// From here on the call answers, whatever happens.
  void run_call(http::Execution execution, const TraceContext& trace, const std::shared_ptr<RunningCall>& call) const {
    try {
      call->begin();
      execute_(execution.tool, std::move(execution.arguments), trace, call->stop_token(),
               [call](const ToolResult& result) { call->take(result); });
    } catch (const std::exception&) {
      call->answer(not_answered());
    }
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
  const TracedExecute execute_;
  const http::GuardRules rules_;
  const std::shared_ptr<http::CallsUnderWay> calls_;
  std::atomic<bool> is_stopping_ = false;
  Mutex mutex_;
  std::shared_ptr<const Manifest> manifest_ TOOLWIRE_GUARDED_BY(mutex_);
  std::shared_ptr<const Published> published_ TOOLWIRE_GUARDED_BY(mutex_);
  std::shared_ptr<SiteServer> server_ TOOLWIRE_GUARDED_BY(mutex_);
};

HttpProvider::HttpProvider(HttpProviderOptions options, Source source, Execute execute, std::vector<HttpPage> pages)
    : HttpProvider(
          std::move(options), std::move(source),
          TracedExecute([execute = std::move(execute)](const std::string& tool, Json arguments, const TraceContext&,
                                                       std::stop_token stop, std::function<void(ToolResult)> done) {
            execute(tool, std::move(arguments), std::move(stop), std::move(done));
          }),
          std::move(pages)) {}
HttpProvider::HttpProvider(HttpProviderOptions options, Source source, TracedExecute execute,
                           std::vector<HttpPage> pages)
    : parts_(std::make_unique<Parts>(std::move(options), std::move(source), std::move(execute), std::move(pages))) {}
HttpProvider::~HttpProvider() = default;

int HttpProvider::listen() { return parts_->listen(); }
void HttpProvider::run() { parts_->run(); }
void HttpProvider::stop() { parts_->stop(); }

}  // namespace toolwire::bridge
