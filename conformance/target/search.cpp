#include "target/search.hpp"

#include <algorithm>

#include "target/named_fixtures.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds max_wait = 2s;
constexpr std::chrono::milliseconds max_time = 10s;
constexpr int max_unanswered = 2;
constexpr int max_rounds = 4;
constexpr std::size_t max_starts = 5;

JsonObject answers_to(const Json& question) {
  JsonObject answers;
  const JsonObject* requests = get(question, "inputRequests").if_object();
  for (const auto& [key, request] : requests != nullptr ? *requests : JsonObject{}) {
    auto answer = default_response(std::string(text_of(get(request, "method"))), get(request, "params"));
    if (answer) answers[key] = std::move(*answer);
  }
  return answers;
}

}  // namespace

bool is_question(const Message& message) {
  return message.kind == Message::Kind::request && message.method() != "ping";
}

Search::Search(const Offer& offer, const Target& target)
    : offer_(offer), target_(target), until_(Clock::now() + max_time) {}

bool Search::open() {
  sessions_.push_back(std::make_unique<Session>(
      target_.launch, *offer_.revision,
      SessionOptions{.capabilities = all_capabilities(*offer_.revision), .timeout = target_.start_timeout}));
  const bool is_open = session().open().ok();
  session().options().timeout = std::min(max_wait, target_.timeout);
  return is_open;
}

void Search::go_on() {
  if (!(session().connection().has_ended() || is_refused_) || sessions_.size() >= max_starts || Clock::now() > until_)
    return;
  if (!open()) return;
  unanswered_ = 0;
  is_refused_ = false;
  if (prepare_) prepare_();
}

void Search::prepare(std::function<void()> how) {
  prepare_ = std::move(how);
  prepare_();
}

bool Search::is_over() const { return unanswered_ >= max_unanswered || is_refused_ || Clock::now() > until_; }

void Search::count(const Answer& answer) {
  if (answer.kind == Answer::Kind::silence) ++unanswered_;
  if (answer.kind == Answer::Kind::ended) unanswered_ = max_unanswered;
  is_refused_ = is_refused_ || refuses_as_too_many(answer.message);
}

Answer Search::ask(std::string_view method, JsonObject params) {
  if (is_over()) return {};
  return await(session().send_request(method, std::move(params)));
}

Answer Search::await(const Json& id) {
  Answer answer = session().await(id, std::min(max_wait, target_.timeout));
  count(answer);
  if (answer.kind == Answer::Kind::silence) session().notify("notifications/cancelled", {{"requestId", id}});
  return answer;
}

Json Search::result_of(std::string_view method, JsonObject params) {
  const Answer answer = ask(method, std::move(params));
  return answer.ok() && !asks(answer.result, *this) ? answer.result : Json(nullptr);
}

bool Search::was_asked_since(std::size_t mark) const {
  const auto& messages = sessions_.back()->messages();
  return std::any_of(messages.begin() + static_cast<std::ptrdiff_t>(mark), messages.end(), is_question);
}

bool Search::is_open(std::string_view kind) const {
  return !found_.contains(kind) && !target_.profile.decides(kind) && !named_fixture(target_, offer_, kind);
}

void Search::add(std::string_view kind, const JsonObject& entry) {
  if (!is_open(kind)) return;
  Fixture fixture{.kind = std::string(kind), .name = "", .arguments = {}, .entry = Json(entry), .by_looking = true};
  const Json& uri = get(fixture.entry, "uri");
  fixture.name = text_of(uri.is_null() ? get(fixture.entry, "name") : uri);
  const Json& arguments = get(fixture.entry, "arguments");
  if (arguments.is_object()) fixture.arguments = arguments.get_object();
  found_.emplace(kind, std::move(fixture));
}

void Search::add_instead(std::string_view kind, const JsonObject& entry) {
  if (const auto found = found_.find(kind); found != found_.end()) found_.erase(found);
  add(kind, entry);
}

bool only_repeats(const Json& block, const JsonObject& entry) {
  const Json& embedded = get(block, "resource", "uri");
  const std::string_view uri = text_of(embedded.is_null() ? get(block, "uri") : embedded);
  const Json* arguments = entry.if_contains("arguments");
  return uri.find(':') == std::string_view::npos && arguments != nullptr && arguments->is_object() &&
         std::ranges::any_of(arguments->get_object(), [&](const auto& it) { return text_of(it.value()) == uri; });
}

bool asks(const Json& result, const Search& search) {
  return search.offer().revision->modern && text_of(get(result, "resultType")) == "input_required";
}

Rounds answered_rounds(Search& search, std::string_view method, const JsonObject& params, const Json& first) {
  Rounds rounds{.first = first, .last = {.kind = Answer::Kind::result, .result = first}};
  while (rounds.last.ok() && asks(rounds.last.result, search) && rounds.count < max_rounds) {
    ++rounds.count;
    JsonObject again = params;
    again["inputResponses"] = answers_to(rounds.last.result);
    if (const Json& state = get(rounds.last.result, "requestState"); !state.is_null()) again["requestState"] = state;
    rounds.last = search.ask(method, std::move(again));
  }
  return rounds;
}

}  // namespace toolwire::conformance
