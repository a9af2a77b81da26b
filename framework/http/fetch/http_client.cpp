#include <toolwire/http/detail/http_client.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <future>
#include <map>
#include <optional>

#include <toolwire/system/descriptor_limit.hpp>

#include <toolwire/detail/event_loop.hpp>
#include "fetch/multi.hpp"
#include "fetch/request_check.hpp"
#include "fetch/transfer.hpp"

namespace toolwire {
namespace {

/// Names being resolved at once; libcurl starts a thread for each.
constexpr std::size_t max_lookups = 16;

/// Leaves a quarter of the program's descriptors to others: a request that waits for its turn beats one that fails.
std::size_t max_connections(std::size_t wanted) {
  const auto limit = system::descriptor_limit();
  return limit ? std::max<std::size_t>(1, std::min(wanted, *limit / 4 * 3)) : wanted;
}

/// As curl and OpenSSL have it.
std::string trusted_file(const HttpClientOptions& options) {
  const char* const of_environment = std::getenv("SSL_CERT_FILE");
  return !options.ca_file.empty() || of_environment == nullptr ? options.ca_file : of_environment;
}

}  // namespace

/// All but `start` and the counter belongs to the loop.
class HttpClient::Parts {
 public:
  explicit Parts(const HttpClientOptions& options)
      : settings_{AddressPolicy(options.allowed_addresses), options.proxy, trusted_file(options)},
        max_requests_(options.max_requests),
        max_connections_(max_connections(options.max_connections)),
        loop_(options.engine) {}

  ~Parts() { close(); }

  void start(HttpRequest request, std::stop_token stop, Callback callback);
  void close() {
    loop_.post([this] { end_all(); });
    loop_.stop();
  }

 private:
  struct Pending {
    Callback callback;
    std::unique_ptr<HttpTransfer> transfer;
    std::optional<EventLoop::Timer> deadline;
    std::optional<EventLoop::Timer> beginning;  // until it may begin
    std::unique_ptr<std::stop_callback<std::function<void()>>> on_stop;
    bool active = false;     // handed to libcurl
    bool resolving = false;  // its name is being looked up
  };

  void begin(std::uint64_t id, HttpRequest request, const std::stop_token& stop, Callback callback);
  void begin_waiting();
  void wait_for_turn(std::uint64_t id);
  void begin_next(std::deque<std::uint64_t>& waiting);
  HttpMulti& multi();
  void resolved(std::uint64_t id);
  void finished(CURL* easy, CURLcode code);
  void end(std::uint64_t id, const char* code, const char* text);
  void answer(std::uint64_t id, HttpOutcome outcome);
  void leave_libcurl(Pending& pending);
  void end_all();

  HttpTransferSettings settings_;
  const std::size_t max_requests_;
  const std::size_t max_connections_;
  std::atomic<std::size_t> open_ = 0;
  std::atomic<std::uint64_t> last_id_ = 0;
  std::map<std::uint64_t, Pending> pending_;
  std::deque<std::uint64_t> waiting_;        // may name requests that have ended
  std::deque<std::uint64_t> waiting_named_;  // the same, of those whose host has to be resolved
  std::size_t active_ = 0;
  std::size_t resolving_ = 0;
  bool closed_ = false;
  EventLoop loop_;
  std::optional<HttpMulti> multi_;  // from the first request on
};

void HttpClient::Parts::start(HttpRequest request, std::stop_token stop, Callback callback) {
  std::optional<HttpFailure> problem = problem_of(request);
  if (open_.fetch_add(1) >= max_requests_ && !problem)
    problem = HttpFailure{"busy", "too many HTTP requests are waiting; try again later"};
  if (problem) {
    return loop_.post_or_run([this, callback = std::move(callback), problem = std::move(*problem)] {
      --open_;
      callback(problem);
    });
  }
  loop_.post_or_run(
      [this, id = ++last_id_, request = std::move(request), stop = std::move(stop),
       callback = std::move(callback)]() mutable { begin(id, std::move(request), stop, std::move(callback)); });
}

void HttpClient::Parts::begin(std::uint64_t id, HttpRequest request, const std::stop_token& stop, Callback callback) {
  if (closed_) {
    --open_;
    return callback(HttpFailure{"cancelled", "the HTTP client is closed"});
  }
  const auto deadline = request.deadline;
  const auto not_before = request.not_before;
  Pending& pending = pending_[id];
  pending.callback = std::move(callback);
  pending.transfer = std::make_unique<HttpTransfer>(id, std::move(request), settings_, [this, id] { resolved(id); });
  if (deadline)
    pending.deadline = loop_.at(*deadline, [this, id] { end(id, "timeout", "no answer before the deadline"); });
  pending.on_stop = std::make_unique<std::stop_callback<std::function<void()>>>(
      stop, [this, id] { loop_.post([this, id] { end(id, "cancelled", "cancelled"); }); });
  if (not_before && *not_before > EventLoop::Clock::now()) {
    pending.beginning = loop_.at(*not_before, [this, id] { wait_for_turn(id); });
  } else {
    wait_for_turn(id);
  }
}

void HttpClient::Parts::wait_for_turn(std::uint64_t id) {
  Pending& pending = pending_.at(id);
  pending.beginning.reset();
  (pending.transfer->needs_resolving() ? waiting_named_ : waiting_).push_back(id);
  begin_waiting();
}

void HttpClient::Parts::begin_waiting() {
  while (active_ < max_connections_ && !waiting_.empty()) begin_next(waiting_);
  while (active_ < max_connections_ && resolving_ < max_lookups && !waiting_named_.empty()) begin_next(waiting_named_);
}

void HttpClient::Parts::begin_next(std::deque<std::uint64_t>& waiting) {
  const std::uint64_t id = waiting.front();
  waiting.pop_front();
  const auto found = pending_.find(id);
  if (found == pending_.end()) return;
  Pending& pending = found->second;
  pending.active = true;
  pending.resolving = pending.transfer->needs_resolving();
  active_ += 1;
  resolving_ += pending.resolving ? 1U : 0U;
  if (!multi().add(pending.transfer->handle())) end(id, "busy", "out of memory");
}

HttpMulti& HttpClient::Parts::multi() {
  if (!multi_) multi_.emplace(loop_, [this](CURL* easy, CURLcode code) { finished(easy, code); });
  return *multi_;
}

void HttpClient::Parts::resolved(std::uint64_t id) {
  const auto found = pending_.find(id);
  if (found == pending_.end() || !found->second.resolving) return;
  found->second.resolving = false;
  resolving_ -= 1;
  loop_.post([this] { begin_waiting(); });  // libcurl is calling, and must not be entered from its callback
}

void HttpClient::Parts::leave_libcurl(Pending& pending) {
  if (!pending.active) return;
  active_ -= 1;
  resolving_ -= pending.resolving ? 1U : 0U;
  pending.active = pending.resolving = false;
}

void HttpClient::Parts::finished(CURL* easy, CURLcode code) {
  HttpTransfer& transfer = HttpTransfer::of(easy);
  const std::uint64_t id = transfer.id();
  leave_libcurl(pending_.at(id));
  if (auto outcome = transfer.outcome(code)) {
    answer(id, std::move(*outcome));
  } else {
    wait_for_turn(id);
  }
  begin_waiting();
}

void HttpClient::Parts::end(std::uint64_t id, const char* code, const char* text) {
  const auto found = pending_.find(id);
  if (found == pending_.end()) return;
  if (found->second.active) multi().remove(found->second.transfer->handle());
  leave_libcurl(found->second);
  answer(id, found->second.transfer->failure(code, text));
  loop_.post([this] { begin_waiting(); });
}

void HttpClient::Parts::answer(std::uint64_t id, HttpOutcome outcome) {
  auto pending = pending_.extract(id);
  if (pending.mapped().deadline) loop_.cancel(*pending.mapped().deadline);
  if (pending.mapped().beginning) loop_.cancel(*pending.mapped().beginning);
  pending.mapped().transfer.reset();
  pending.mapped().on_stop.reset();
  --open_;
  pending.mapped().callback(std::move(outcome));
}

void HttpClient::Parts::end_all() {
  closed_ = true;
  while (!pending_.empty()) end(pending_.begin()->first, "cancelled", "the HTTP client is being closed");
}

HttpClient::HttpClient(const HttpClientOptions& options) : parts_(std::make_unique<Parts>(options)) {}

HttpClient::~HttpClient() = default;

void HttpClient::close() { parts_->close(); }

void HttpClient::start(HttpRequest request, std::stop_token stop, Callback callback) {
  parts_->start(std::move(request), std::move(stop), std::move(callback));
}

HttpOutcome HttpClient::fetch(HttpRequest request, std::stop_token stop) {
  auto promise = std::make_shared<std::promise<HttpOutcome>>();
  std::future<HttpOutcome> outcome = promise->get_future();
  start(std::move(request), std::move(stop), [promise](HttpOutcome&& came) { promise->set_value(std::move(came)); });
  return outcome.get();
}

std::optional<std::string_view> HttpResponse::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (key == name) return value;
  }
  return std::nullopt;
}

}  // namespace toolwire
