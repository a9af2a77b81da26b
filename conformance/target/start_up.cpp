#include "target/start_up.hpp"

#include <algorithm>
#include <chrono>

#include "catalogue/catalogue.hpp"
#include "catalogue/over_http.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::size_t max_messages = 20'000;                 // before the first answer
constexpr std::size_t max_output = std::size_t{16} << 20;    // the same
constexpr std::chrono::milliseconds grace_after_exit{1000};  // another process may hold its output
constexpr std::size_t shown_errors = 2000;
constexpr std::size_t shown_line = 200;
constexpr std::string_view newest_legacy = "2025-11-25";

constexpr std::string_view checks[] = {"start-no-echo",       "start-no-flood", "start-stays",
                                       "start-messages-only", "start-answers",  "start-revision"};

bool is_ours(const Message& message) {
  return message.kind == Message::Kind::request &&
         (message.method() == "initialize" || message.method() == "server/discover");
}

bool is_flood(const Session& session) {
  return session.flooded() || session.messages().size() > max_messages ||
         session.connection().output_size() > max_output;
}

const Message* first_foreign(const Session& session) {
  const auto found = std::find_if(session.messages().begin(), session.messages().end(),
                                  [](const Message& it) { return it.kind == Message::Kind::foreign; });
  return found != session.messages().end() ? &*found : nullptr;
}

/// Whether the lines from the first foreign one on are one JSON text, as one that was written for people.
bool is_over_several_lines(const Session& session) {
  std::string text;
  for (const Message& message : session.messages()) {
    if (message.kind == Message::Kind::foreign || !text.empty()) text += message.text + "\n";
  }
  try {
    return parse_json(text).is_object();
  } catch (const JsonError&) {
    return false;
  }
}

/// What may have been meant as the answer: a response with another id, or one in an array.
std::string instead(const Session& session) {
  const auto found = std::ranges::find_if(session.messages(), [](const Message& it) {
    return it.kind == Message::Kind::response || it.kind == Message::Kind::batch;
  });
  if (found == session.messages().end()) return "";
  const std::string line = found->text.substr(0, shown_line);
  if (found->kind == Message::Kind::batch) return "; what came is an array: " + line;
  const auto id = found->id();
  const std::string wrong = id ? "has the id " + shown(*id) + " and not that of the request" : "has no id";
  return "; what came " + wrong + ": " + line;
}

std::string first_request(const Session& session) {
  return session.revision().modern ? "server/discover" : "initialize";
}

std::string last_errors(const Session& session) {
  if (!session.has_process()) return "";
  const std::string& all = session.process().errors();
  if (all.empty()) return "; it wrote nothing to standard error";
  return "; the last it wrote to standard error: " +
         (all.size() <= shown_errors ? all : "…" + all.substr(all.size() - shown_errors));
}

std::string unanswered(Session& session, const Answer& answer) {
  if (!session.has_process()) return answer.text() + " to " + first_request(session);
  const Ending& ending = session.process().ending();
  if (ending.exited) return "the server " + ending.text() + " without answering " + first_request(session);
  if (session.connection().output_ended()) return "its output ended before an answer to " + first_request(session);
  return "no answer to " + first_request(session) + " in time";
}

StartFault stream_fault(const Session& session) {
  const auto& messages = session.messages();
  if (std::any_of(messages.begin(), messages.end(), is_ours))
    return {"start-no-echo", "answers of its own", "it sends our own requests back, so it is no server"};
  if (is_flood(session))
    return {"start-no-flood", "an answer to " + first_request(session),
            "it floods its standard output: " + std::to_string(session.connection().output_size()) +
                " bytes and no answer among them"};
  return {};
}

StartFault refusal(Session& session, const Answer& answer) {
  if (answer.ok()) {
    const Json& offered = get(answer.result, session.revision().modern ? "supportedVersions" : "protocolVersion");
    return {"start-revision", "a session of revision " + std::string(session.revision().name),
            "it offers " + to_json_text(offered) + " instead"};
  }
  return {"start-revision", "a session of revision " + std::string(session.revision().name),
          first_request(session) + " was answered with " + answer.text()};
}

StartFault silence_over_http(Session& session, const Answer& answer) {
  const std::string expected =
      "an answer to " + first_request(session) + ", of the type application/json or in an event of text/event-stream";
  std::string got = unanswered(session, answer);
  if (answer.kind == Answer::Kind::refused) return {"start-revision", expected, got};
  if (const Message* foreign = first_foreign(session))
    got += "; what came is no message: " + foreign->text.substr(0, shown_line) + " (" + foreign->problem + ")";
  return {"start-answers", expected, got + instead(session)};
}

StartFault silence(Session& session, const Answer& answer) {
  const std::string expected = "an answer to " + first_request(session);
  if (!session.has_process()) return silence_over_http(session, answer);
  if (session.connection().output_ended()) session.process().wait_for_end(std::chrono::seconds(1));  // it may be ending
  const std::string got = unanswered(session, answer);
  if (session.process().ending().exited) return {"start-stays", "a server that goes on running", got};
  if (is_over_several_lines(session))
    return {"start-messages-only", "each message on one line, and " + expected,
            got + "; what it wrote is a message over several lines"};
  if (const Message* foreign = first_foreign(session))
    return {.check = "start-messages-only",
            .expected = "only messages on standard output, and " + expected,
            .got = got + "; what it wrote is no message: " + foreign->text.substr(0, shown_line),
            .foreign = foreign->text.substr(0, shown_line)};
  if (session.connection().output_ended()) return {"start-stays", "a server that keeps its standard output open", got};
  return {"start-answers", expected, got + instead(session)};
}

Finding finding_of(const Offer& offer, std::string_view check) {
  Finding finding{.requirement = find_requirement(check), .revision = offer.revision};
  if (offer.served && offer.fault.check != check) return finding;
  if (offer.fault.check != check) {
    finding.verdict = Verdict::skip;
    finding.message = "no session could be opened: see " + offer.fault.check;
    return finding;
  }
  finding.verdict = Verdict::fail;
  finding.message = finding.requirement->requirement;
  finding.expected = offer.fault.expected;
  finding.got = offer.fault.got;
  finding.transcript = offer.fault.transcript;
  finding.sent = offer.fault.sent;
  if (!offer.fault.foreign.empty()) finding.evidence = {Symptom::foreign_output, "", offer.fault.foreign};
  return finding;
}

/// Whether the server breaks down in a legacy revision while it serves another.
bool breaks_down(const Target& target, const Offer& offer) {
  const bool serves_legacy = std::any_of(target.offers.begin(), target.offers.end(), [](const auto& it) {
    return it.second.served && !it.second.revision->modern;
  });
  return serves_legacy && !offer.revision->modern && offer.fault.check != "start-revision";
}

}  // namespace

bool StartWatch::is_echo() {
  const auto& messages = session_.messages();
  for (; !echoed_ && looked_at_ < messages.size(); ++looked_at_) echoed_ = is_ours(messages[looked_at_]);
  return echoed_;
}

bool StartWatch::is_hopeless() {
  if (is_echo() || is_flood(session_)) return true;
  if (!session_.has_process()) return session_.connection().output_ended();
  if (!session_.process().ending().exited) return false;
  if (!ended_at_) ended_at_ = Clock::now();
  return Clock::now() - *ended_at_ > grace_after_exit;
}

StartFault fault_of(Session& session, const Answer& answer) {
  const bool answered = answer.ok() || answer.is_error();
  if (session.has_process() && session.connection().output_ended()) session.process().wait_for_end(grace_after_exit);
  StartFault fault = answered ? refusal(session, answer) : stream_fault(session);
  if (fault.check.empty()) fault = silence(session, answer);
  if (!answered) fault.got += last_errors(session);
  fault.transcript = session.connection().recording().text();
  fault.sent = session.connection().recording().stimuli();
  return fault;
}

StartFault fault_before_answer(Session& session) {
  const auto& messages = session.messages();
  const auto first = std::ranges::find_if(messages, [](const Message& it) {
    return it.kind == Message::Kind::foreign || it.kind == Message::Kind::response;
  });
  if (first == messages.end() || first->kind != Message::Kind::foreign) return {};
  return {.check = "start-messages-only",
          .expected = "only messages on standard output",
          .got = first->text.substr(0, shown_line),
          .transcript = session.connection().recording().text(),
          .foreign = first->text.substr(0, shown_line),
          .sent = session.connection().recording().stimuli()};
}

std::span<const std::string_view> start_up_checks() { return checks; }

std::vector<Finding> start_up_findings(const Target& target, const std::vector<std::string>& revisions_asked_for) {
  std::vector<Finding> findings;
  for (const auto& [name, offer] : target.offers) {
    const bool asked_for =
        std::find(revisions_asked_for.begin(), revisions_asked_for.end(), name) != revisions_asked_for.end();
    const bool judged = !revisions_asked_for.empty() ? asked_for
                        : target.serves_any()        ? offer.served || breaks_down(target, offer)
                                                     : name == newest_legacy;
    if (!judged) continue;
    for (const std::string_view check : checks) {
      if (target.launch.http && !why_not_over_http(*find_requirement(check), name).empty()) continue;
      findings.push_back(finding_of(offer, check));
    }
  }
  return findings;
}

}  // namespace toolwire::conformance
