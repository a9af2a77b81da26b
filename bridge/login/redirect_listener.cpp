#include "login/redirect_listener.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include <toolwire/detail/condition_variable.hpp>
#include <toolwire/detail/mutex.hpp>
#include <toolwire/http/site.hpp>

#include <toolwire/http/detail/header_text.hpp>
#include "login/codes.hpp"
#include "login/discovery.hpp"

namespace toolwire::bridge::login {
namespace {

constexpr std::size_t max_body = 1024;
constexpr std::size_t max_value = 8192;

http::Reply page(int status, std::string_view text) {
  std::string body = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>toolwire</title><p>";
  body.append(text).append("</p></html>");
  return {.status = status,
          .fields = {{"Content-Type", "text/html; charset=utf-8"},
                     {"Cache-Control", "no-store"},
                     {"Referrer-Policy", "no-referrer"},
                     {"X-Content-Type-Options", "nosniff"},
                     {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"}},
          .body = std::move(body)};
}

std::string host_of(const http::Request& request) {
  std::string host;
  std::size_t count = 0;
  for (const http::Field& field : request.fields) {
    if (header_text::lower(field.name) == "host" && ++count > 0) host = field.value;
  }
  return count == 1 ? host : std::string();
}

}  // namespace

class RedirectListener::Parts {
 public:
  Parts(std::uint16_t port, std::string state)
      : state_(std::move(state)),
        site_({.answer =
                   [this](const http::Request& request, const std::shared_ptr<http::Exchange>& exchange) {
                     http::send(reply(request), *exchange);
                   }},
              {.address = "127.0.0.1", .port = port, .max_body = max_body, .threads = 1}),
        thread_([this] { site_.run(); }) {}
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  ~Parts() {
    site_.stop();
    thread_.join();
  }

  [[nodiscard]] std::uint16_t port() const { return site_.port(); }

  std::optional<RedirectAnswer> wait(std::chrono::seconds time) {
    MutexLock lock(mutex_);
    came_.wait_for(lock, time, [&]() TOOLWIRE_REQUIRES(mutex_) { return answer_.has_value(); });
    return answer_;
  }

 private:
  http::Reply reply(const http::Request& head) {
    if (host_of(head) != "127.0.0.1:" + std::to_string(port()))
      return page(421, "This is not the name of this server.");
    const std::size_t end = head.target.find('?');
    if (head.target.substr(0, end) != "/callback") return page(404, "There is nothing here.");
    if (head.method != "GET") return page(405, "Expected GET.");
    const Form query = form_in(end == std::string::npos ? "" : std::string_view(head.target).substr(end + 1));
    if (!is_same_secret(only_value(query, "state"), state_))
      return page(400, "This is not the answer to the login that is waited for.");
    return take(query);
  }

  http::Reply take(const Form& query) {
    RedirectAnswer answer{.code = only_value(query, "code"),
                          .error = only_value(query, "error"),
                          .error_description = only_value(query, "error_description"),
                          .issuer = only_value(query, "iss")};
    answer.names_issuer = std::ranges::any_of(query, [](const auto& pair) { return pair.first == "iss"; });
    if (answer.code.size() > max_value) answer.code.clear();
    const MutexLock lock(mutex_);
    if (answer_) return page(400, "The login has been answered before.");
    answer_ = std::move(answer);
    came_.notify_all();
    return page(200,
                "toolwire-bridge has got the answer; the terminal says what became of it. You can close this page.");
  }

  const std::string state_;
  Mutex mutex_;
  ConditionVariable came_;
  std::optional<RedirectAnswer> answer_ TOOLWIRE_GUARDED_BY(mutex_);
  http::SiteServer site_;
  std::thread thread_;
};

RedirectListener::RedirectListener(std::uint16_t port, std::string state) {
  try {
    parts_ = std::make_unique<Parts>(port, std::move(state));
  } catch (const std::system_error& error) {
    throw LoginError("the browser could not come back: expected to listen on 127.0.0.1:" + std::to_string(port) + ": " +
                     error.code().message());
  }
}

RedirectListener::~RedirectListener() = default;

std::uint16_t RedirectListener::port() const { return parts_->port(); }

RedirectAnswer RedirectListener::wait(std::chrono::seconds time) {
  if (auto answer = parts_->wait(time)) return std::move(*answer);
  throw LoginError("nobody has logged in within " + std::to_string(time.count()) + " s");
}

}  // namespace toolwire::bridge::login
