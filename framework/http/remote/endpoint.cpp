#include "remote/endpoint.hpp"

#include <utility>
#include <vector>

#include "remote/authorized_request.hpp"
#include "remote/server_stream.hpp"

namespace toolwire::remote {
namespace {

constexpr std::size_t very_much = std::size_t{64} << 20;  // bytes
constexpr std::string_view initialized = "notifications/initialized";

}  // namespace

Endpoint::Endpoint(RemoteServer server, HttpClient& http, std::size_t max_message)
    : http_(http),
      credentials_(server.credentials),
      max_message_(max_message),
      left_out_(server.left_out),
      session_(std::move(server)) {}

void Endpoint::send(std::string_view line) {
  SentMessage message = sent_message(line);
  if (message.method == "notifications/cancelled") return cancel(std::move(message));
  {
    const MutexLock lock(mutex_);
    if (is_introducing_itself_) return held_.push_back(std::move(message));
    is_introducing_itself_ = message.method == initialized;
    if (message.method == "initialize") abort_unanswered_probe();
  }
  begin(std::move(message));
}

void Endpoint::begin(SentMessage message) {
  if (incoming_.is_ended()) return;
  const std::size_t size = message.text.size();
  const auto exchange = std::make_shared<Exchange>(std::move(message), shared_from_this(), max_message_);
  {
    const MutexLock lock(mutex_);
    under_way_.emplace(exchange.get(), exchange);
    bytes_under_way_ += size;
  }
  exchange->begin();
}

/// 2026-07-28: the end of its stream says that a request is cancelled. Before, a message does.
void Endpoint::cancel(SentMessage message) {
  std::shared_ptr<Exchange> cancelled;
  {
    const MutexLock lock(mutex_);
    for (const auto& [key, exchange] : under_way_) {
      if (exchange->message().is_request() && exchange->message().id == message.cancels) cancelled = exchange;
    }
    std::erase_if(held_, [&](const SentMessage& one) { return one.is_request() && one.id == message.cancels; });
  }
  if (!cancelled) return;
  if (!cancelled->message().modern()) begin(std::move(message));
  cancelled->abort();
}

/// A server that is silent when it is asked for revisions is taken for an older one.
void Endpoint::abort_unanswered_probe() {
  for (const auto& [key, exchange] : under_way_) {
    if (exchange->message().method == "server/discover") exchange->abort();
  }
}

bool Endpoint::is_full() {
  const MutexLock lock(mutex_);
  return bytes_under_way_ > very_much;
}

void Endpoint::close() {
  incoming_.end("the client was closed");
  abort_all();
  {
    const MutexLock lock(telling_);
    left_out_ = nullptr;
  }
  std::optional<HttpRequest> farewell;
  {
    const MutexLock lock(mutex_);
    farewell = session_.farewell();
  }
  const std::string authorization = farewell && credentials_ ? credentials_->given_at_once() : std::string();
  if (!authorization.empty()) farewell->headers.emplace_back("Authorization", authorization);
  if (farewell) http_.fetch(std::move(*farewell));
}

void Endpoint::lost(const std::string& reason) {
  incoming_.end(reason);
  abort_all();
}

void Endpoint::abort_all() {
  std::vector<std::shared_ptr<Exchange>> all;
  {
    const MutexLock lock(mutex_);
    for (const auto& [key, exchange] : under_way_) all.push_back(exchange);
    held_.clear();
  }
  stop_.request_stop();
  for (const auto& exchange : all) exchange->abort();
}

void Endpoint::start(HttpRequest request, std::stop_token stop, HttpClient::Callback callback) {
  if (!credentials_) return http_.start(std::move(request), std::move(stop), std::move(callback));
  std::make_shared<AuthorizedRequest>(http_, credentials_, std::move(request), std::move(stop), std::move(callback))
      ->begin();
}

HttpRequest Endpoint::post_of(const SentMessage& message) {
  const MutexLock lock(mutex_);
  return session_.post_of(message);
}

HttpRequest Endpoint::stream(const std::string& last_id) {
  const MutexLock lock(mutex_);
  return session_.stream(last_id);
}

Conversation Endpoint::conversation() {
  std::string needed = credentials_ ? credentials_->needed() : std::string();
  const MutexLock lock(mutex_);
  Conversation now = session_.conversation();
  now.login_needed = std::move(needed);
  return now;
}

void Endpoint::arrived(std::string line) {
  if (!incoming_.add(line) && !incoming_.is_ended()) lost(conversation().origin + " sends more than can be read");
}

void Endpoint::answered(const SentMessage& message, const HttpResponse& head, ReceivedMessage& answer) {
  if (message.modern() && message.method == "tools/list") leave_out_tools(answer);
  std::optional<std::string> problem;
  {
    const MutexLock lock(mutex_);
    problem = session_.learn(message, head, answer.json);
  }
  if (problem) lost(*problem);
}

/// 2026-07-28 basic/transports/streamable-http: a client must not offer them.
void Endpoint::leave_out_tools(ReceivedMessage& answer) {
  const std::vector<std::string> why = take_out_wrong_tools(answer.json);
  if (why.empty()) return;
  answer.line = to_json_text(answer.json);
  const MutexLock lock(telling_);
  if (!left_out_) return;
  for (const std::string& one : why) left_out_(one);
}

void Endpoint::over(const Exchange& exchange) {
  std::deque<SentMessage> held;
  std::shared_ptr<Exchange> kept;
  const bool introduces = exchange.message().method == initialized;
  {
    const MutexLock lock(mutex_);
    const auto found = under_way_.find(&exchange);
    if (found == under_way_.end()) return;
    kept = std::move(found->second);
    under_way_.erase(found);
    bytes_under_way_ -= kept->message().text.size();
    if (introduces) {
      is_introducing_itself_ = false;
      held.swap(held_);
    }
  }
  if (!introduces || incoming_.is_ended()) return;
  std::make_shared<ServerStream>(shared_from_this(), stop_.get_token(), max_message_)->begin();
  for (SentMessage& message : held) begin(std::move(message));
}

}  // namespace toolwire::remote
