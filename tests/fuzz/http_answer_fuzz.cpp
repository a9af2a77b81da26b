// Any bytes as what a server answers to the HTTP client: an answer with clean headers, or a failure that can be shown
// and repeats nothing of them; redirects stay where they began, and are few.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <variant>

#include <toolwire/http/detail/http_client.hpp>
#include "http_test_server.hpp"

using namespace toolwire;
using toolwire_test::HttpAnswer;
using toolwire_test::HttpTestServer;

namespace {

constexpr std::size_t limit = 8192;
constexpr int max_requests = 6;  // five redirects

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

/// A server whose answer to everything is what it is told.
class AnyServer {
 public:
  AnyServer()
      : server_([this](const std::string& request) {
          const std::lock_guard lock(mutex_);
          ++requests_;
          require(request.starts_with("GET /"), "what was asked for is what is sent");
          return HttpAnswer{.bytes = answer_};
        }) {}

  void answer_with(std::string_view bytes) {
    const std::lock_guard lock(mutex_);
    answer_ = bytes;
    requests_ = 0;
  }
  int requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }
  std::string url() const { return server_.url("/first?query"); }
  std::string origin() const { return server_.origin(); }

 private:
  std::mutex mutex_;
  std::string answer_;
  int requests_ = 0;
  HttpTestServer server_;
};

bool is_clean(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos;
}

void check(const HttpResponse& response) {
  require(response.status >= 100 && response.status <= 999, "a status has three digits");
  require(response.body.size() <= limit, "a body is within its limit");
  for (const auto& [name, value] : response.headers) {
    require(is_clean(name) && is_clean(value), "a header is one line");
    for (const char c : name) require(c < 'A' || c > 'Z', "names of headers are in lower case");
  }
}

void check(const HttpFailure& failure, const std::string& origin) {
  require(!failure.code.empty() && failure.text.starts_with(origin + ": "), "a failure names the origin");
  for (const char c : failure.text) require(c >= ' ' && c < 0x7f, "the text of a failure can be shown");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  // Their threads have ended before leaks are looked for.
  static AnyServer server;
  static HttpClient client;
  server.answer_with({reinterpret_cast<const char*>(bytes), size});
  HttpRequest request;
  request.url = server.url();
  request.origin = HttpOrigin::operators;
  request.response_limit = limit;
  request.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  const HttpOutcome outcome = client.fetch(std::move(request));
  if (const auto* const response = std::get_if<HttpResponse>(&outcome)) check(*response);
  if (const auto* const failure = std::get_if<HttpFailure>(&outcome)) check(*failure, server.origin());
  require(server.requests() <= max_requests, "redirects are few");
  return 0;
}
