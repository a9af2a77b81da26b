#include "probe/probe.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <system_error>
#include <utility>

#include "catalogue/catalogue.hpp"
#include "driver/arguments.hpp"
#include "driver/interruption.hpp"
#include "probe/evidence.hpp"
#include "target/named_fixtures.hpp"

namespace toolwire::conformance {
namespace {

/// Ends a check.
struct Ended {
  Verdict verdict;
  std::string message, expected, got;
  bool is_broken = false;
};

/// What asks whether it is there must be answered however often it comes.
bool refuses_one_too_many(const Session& session, const Message& message) {
  if (message.kind != Message::Kind::response || !refuses_as_too_many(message)) return false;
  const std::string_view method = session.method_answered_by(message);
  return method != "ping" && method != "initialize" && method != "server/discover";
}

bool has_refusal(const Session& session, std::size_t from) {
  const auto& messages = session.messages();
  return std::any_of(messages.begin() + static_cast<std::ptrdiff_t>(from), messages.end(),
                     [&](const Message& it) { return refuses_one_too_many(session, it); });
}

std::string codes_text(std::initializer_list<int> codes) {
  std::string text;
  for (int code : codes) text += (text.empty() ? "error " : " or ") + std::to_string(code);
  return text;
}

}  // namespace

Probe::Probe(const Target& target, const Offer& offer, const Requirement& requirement, std::unique_ptr<Session>& shared,
             Passive& passive)
    : target_(target), offer_(offer), requirement_(requirement), shared_(shared), passive_(passive) {}

Probe::~Probe() {
  for (auto& session : own_) finish(*session);
}

void Probe::finish(Session& session) {
  if (std::find(unjudged_.begin(), unjudged_.end(), &session) == unjudged_.end())
    passive_.look_at(session, &session == shared_.get() ? requirement_.group : requirement_.id);
}

Session& Probe::session() {
  if (shared_ && shared_->connection().has_ended()) {
    finish(*shared_);
    shared_.reset();
  }
  if (!shared_) {
    shared_ = std::make_unique<Session>(
        target_.launch, revision(),
        SessionOptions{.capabilities = all_capabilities(revision()), .timeout = target_.start_timeout});
    begin(*shared_);
  }
  if (!std::exchange(used_shared_, true)) {
    shared_begin_ = shared_->connection().recording().events().size();
    shared_mark_ = shared_->mark();
    shared_waits_ = shared_->connection().unmet_waits();
  }
  return *shared_;
}

bool Probe::was_refused_as_too_many() const {
  if (used_shared_ && shared_ && has_refusal(*shared_, shared_mark_)) return true;
  return std::ranges::any_of(own_, [](const auto& session) { return has_refusal(*session, 0); });
}

bool Probe::rests_on_time() const {
  if (compared_times_) return true;
  if (used_shared_ && (!shared_ || shared_->connection().unmet_waits() > shared_waits_)) return true;
  if (std::ranges::any_of(peers_, [](const auto& peer) { return peer->unmet_waits() > 0; })) return true;
  return std::ranges::any_of(own_, [](const auto& session) { return session->connection().unmet_waits() > 0; });
}

HttpPeer& Probe::peer(JsonObject capabilities) {
  peers_.push_back(
      std::make_unique<HttpPeer>(target_.launch.http, revision(), std::move(capabilities), target_.timeout));
  return *peers_.back();
}

HttpPeer& Probe::opened_peer(JsonObject capabilities) {
  HttpPeer& opened = peer(std::move(capabilities));
  const HttpReply& reply = opened.open();
  if (!modern() && reply.status != 200) skip("no session could be opened: " + reply.text());
  return opened;
}

Session& Probe::keep(std::unique_ptr<Session> session) {
  own_.push_back(std::move(session));
  return *own_.back();
}

Session& Probe::start(SessionOptions options, const Launch& launch) {
  options.timeout = target_.start_timeout;
  return keep(std::make_unique<Session>(launch, revision(), std::move(options)));
}

Session& Probe::fresh(SessionOptions options) { return start(std::move(options), target_.launch); }

Session& Probe::fresh(SessionOptions options, const Launch& launch) {
  if (launch.http) skip("not judged over HTTP: the server would be started in another way");
  return start(std::move(options), launch);
}

Session& Probe::opened(JsonObject capabilities) {
  Session& session = fresh({.capabilities = std::move(capabilities)});
  begin(session);
  return session;
}

Session& Probe::opened(JsonObject capabilities, const Launch& launch) {
  Session& session = fresh({.capabilities = std::move(capabilities)}, launch);
  begin(session);
  return session;
}

/// Some servers of both eras take discovery alone for no opening; a list after it, which is what hosts ask for, makes
/// the session a modern one. That they should not need it is a check of the group dual-era.
/// One that needed long for its first answer, beside whatever else the machine does, may need as long for others.
void Probe::begin(Session& session) const {
  const auto begin = Clock::now();
  const Answer answer = session.open();
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
  if (!answer.ok()) skip("no session could be opened: " + answer.text());
  if (modern() && target_.serves_legacy() && offer_.has("tools")) session.request("tools/list");
  session.options().timeout = std::max(target_.timeout, took);
}

void Probe::drop(Session& session) {
  own_.remove_if([&](const auto& one) { return one.get() == &session; });
}

std::optional<Fixture> Probe::find(std::string_view kind) const {
  if (auto named = named_fixture(target_, offer_, kind)) return named;
  const auto found = offer_.found.find(kind);
  return found != offer_.found.end() ? std::optional(found->second) : std::nullopt;
}

Fixture Probe::need(std::string_view kind) const {
  auto fixture = find(kind);
  if (!fixture) skip("the server has no " + std::string(kind) + " that may be used (name one in a profile)");
  return std::move(*fixture);
}

Callable Probe::need_tool(std::string_view kind) const {
  Fixture fixture = need(kind);
  return {fixture.name, filled(fixture.arguments, "TEXT", "some text")};
}

Callable Probe::need_tool(std::string_view kind, std::string_view placeholder, const Json& value) const {
  Fixture fixture = need(kind);
  JsonObject arguments = filled(fixture.arguments, placeholder, value);
  const Json* const tool = placeholder == "SECONDS" && value.is_double() ? offer_.tool(fixture.name) : nullptr;
  // One that counts whole seconds, as a profile may name it, takes the next.
  if (tool != nullptr && !may_fit(get(*tool, "inputSchema"), arguments)) {
    const auto whole = static_cast<std::int64_t>(std::ceil(value.get_double()));
    arguments = filled(fixture.arguments, placeholder, whole);
  }
  return {fixture.name, std::move(arguments)};
}

Callable Probe::any_tool() const {
  for (std::string_view kind : {"tool:text", "tool:echo", "tool:no-args", "tool:with-required-args"}) {
    if (find(kind)) return need_tool(kind);
  }
  for (const Json& tool : offer_.tools) {
    const std::string_view name = text_of(get(tool, "name"));
    if (!target_.may_call(name)) continue;
    if (auto arguments = arguments_for(get(tool, "inputSchema"))) return {std::string(name), std::move(*arguments)};
  }
  skip("no tool may be called: none says readOnlyHint, and --allow-tool names none");
}

void Probe::need_capability(std::string_view capability) const {
  if (!offer_.has(capability)) skip("the server does not declare " + std::string(capability));
}

void Probe::fail(std::string expected, std::string got) const {
  throw Ended{verdict_of(requirement_, revision().name), "", std::move(expected), std::move(got)};
}
void Probe::broken(std::string expected, std::string got) const {
  throw Ended{Verdict::fail, "", std::move(expected), std::move(got), true};
}
void Probe::warn(std::string expected, std::string got) const {
  throw Ended{Verdict::warn, "", std::move(expected), std::move(got)};
}
void Probe::skip(std::string reason) const { throw Ended{Verdict::skip, std::move(reason), "", ""}; }
void Probe::info(std::string text) const { throw Ended{Verdict::info, std::move(text), "", ""}; }

Answer Probe::expect_alive(Session& session) const {
  Answer answer = session.probe();
  if (!answer.ok())
    broken("a server that goes on answering", answer.text() + " to " + (modern() ? "server/discover" : "ping"));
  return answer;
}

const Answer& Probe::expect_answer(const Answer& answer, const std::string& to_what) const {
  if (answer.kind == Answer::Kind::silence || answer.kind == Answer::Kind::ended)
    broken("an answer to " + to_what, answer.text());
  return answer;
}

void Probe::expect_result(const Answer& answer, const std::string& to_what) const {
  if (!expect_answer(answer, to_what).ok()) fail("a result of " + to_what, answer.text());
}

/// The first answer of this server tells too: the one behind may have been quick by chance.
std::chrono::milliseconds Probe::overtaken(Clock::duration time) const {
  using namespace std::chrono_literals;
  const auto many_times = std::chrono::duration_cast<std::chrono::milliseconds>(50 * time);
  return std::clamp(std::max(many_times, target_.start_time), 300ms, 1000ms);
}

Answer Probe::expect_reply(Session& session, const Json& id, const std::string& to_what,
                           std::chrono::milliseconds grace) const {
  const auto begin = Clock::now();
  const Answer next = session.probe();
  if (!next.ok()) broken("a server that answers the next request after " + to_what, next.text());
  Answer answer = session.await(id, std::max(grace, overtaken(Clock::now() - begin)));
  if (answer.kind == Answer::Kind::silence) warn("an answer to " + to_what, "nothing");
  if (answer.kind == Answer::Kind::ended) broken("an answer to " + to_what, answer.text());
  return answer;
}

void Probe::expect_error(const Answer& answer, std::initializer_list<int> codes, const std::string& to_what) const {
  expect_answer(answer, to_what);
  const bool fits = answer.is_error() && std::find(codes.begin(), codes.end(), answer.code()) != codes.end();
  if (!fits) fail(codes_text(codes) + " to " + to_what, answer.text());
}

std::string Probe::transcript() const {
  std::string text;
  if (used_shared_ && shared_) text = shared_->connection().recording().text(shared_begin_);
  for (const auto& session : own_) {
    if (!text.empty()) text += "-- another run of the server\n";
    text += session->connection().recording().text();
  }
  for (const auto& peer : peers_) text += (text.empty() ? "" : "-- another client\n") + peer->recording().text();
  return text;
}

void Probe::explain(Finding& finding) const {
  constexpr std::size_t lines_of_a_handshake = 2;
  const Session* shown = nullptr;
  const auto look = [&](const Session& session, std::size_t from) {
    if (finding.evidence.symptom != Symptom::none) return;
    finding.evidence = evidence_of(session, from, finding);
    if (finding.evidence.symptom == Symptom::none && shown != nullptr) return;
    shown = &session;
    finding.sent = session.connection().recording().stimuli(from, modern() ? 0 : lines_of_a_handshake);
  };
  // A check that starts several servers fails in the last of them.
  for (auto session = own_.rbegin(); session != own_.rend(); ++session) look(**session, 0);
  if (used_shared_ && shared_) look(*shared_, shared_begin_);
}

Finding Probe::run(void (*check)(Probe&)) {
  const auto start = Clock::now();
  Finding finding{.requirement = &requirement_, .revision = offer_.revision};
  try {
    check(*this);
  } catch (Ended& ended) {
    finding.verdict = ended.verdict;
    finding.message = std::move(ended.message);
    if (ended.verdict >= Verdict::warn && !ended.is_broken && was_refused_as_too_many()) {
      finding.verdict = Verdict::skip;
      finding.message = "the server refused a request of it, as too many came before; expected " + ended.expected;
    } else {
      finding.expected = std::move(ended.expected);
      finding.got = std::move(ended.got);
    }
  } catch (const NoProcess& none) {
    finding.verdict = Verdict::skip;
    finding.message = std::string("not judged over HTTP: ") + none.what();
  } catch (const RunEnded&) {
    finding.verdict = Verdict::skip;
    finding.message = "the run ended before the check did: " + std::string(text_of(run_end()));
  } catch (const std::system_error& error) {
    finding.verdict = Verdict::skip;
    finding.message = std::string("the check could not run: ") + error.what();
  } catch (const std::exception& error) {  // a check looked for a member that is of another kind
    finding.verdict = verdict_of(requirement_, revision().name);
    finding.expected = "messages of the shape their schema gives them";
    finding.got = error.what();
  }
  if (finding.verdict >= Verdict::warn) {
    finding.message = requirement_.requirement;
    finding.transcript = transcript();
    explain(finding);
  }
  finding.time = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
  return finding;
}

}  // namespace toolwire::conformance
