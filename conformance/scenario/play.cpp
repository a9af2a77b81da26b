#include "scenario/play.hpp"

#include <set>
#include <utility>

#include "scenario/matcher.hpp"
#include "scenario/variables.hpp"

namespace toolwire::conformance {
namespace {

using std::chrono::milliseconds;

/// A connection of the scenario.
struct Line {
  Session* session = nullptr;
  bool has_answers = false;
  std::set<std::size_t> taken = {};  // messages of the server that steps have expected
};

/// A request that was sent and is not awaited yet.
struct Sent {
  std::string method;
  Json id;
};

class Play {
 public:
  Play(Probe& probe, const Scenario& scenario) : probe_(probe), scenario_(scenario), variables_(scenario.variables) {}

  void run() {
    for (const Step& step : scenario_.steps) take(step);
  }

 private:
  void take(const Step& step) {
    switch (step.kind) {
      case Step::Kind::connect:
        return connect(step);
      case Step::Kind::request:
        return request(step);
      case Step::Kind::await:
        return await(step);
      case Step::Kind::cancel:
        return session(step).notify("notifications/cancelled", {{"requestId", sent_.at(step.subject).id}});
      case Step::Kind::notify:
        return session(step).notify(step.subject, filled_in(step.params, variables_));
      case Step::Kind::send:
        probe_.do_not_judge(session(step));
        return session(step).send_line(filled_in(step.subject, variables_));
      case Step::Kind::expect_message:
        return expect_message(step);
      case Step::Kind::expect_no_message:
        return expect_no_message(step);
      case Step::Kind::close:
        return close(step);
    }
  }

  void connect(const Step& step) {
    Line& line = lines_[step.connection];
    line.session = &probe_.opened(filled_in(step.capabilities, variables_));
    line.has_answers = !step.answers.empty();
    line.session->respond_with(
        [answers = filled_in(step.answers, variables_)](const std::string& method, const Json&) -> std::optional<Json> {
          const Json* const answer = answers.if_contains(method);
          if (answer != nullptr) return *answer;
          return method == "ping" ? std::optional(Json(JsonObject{})) : std::nullopt;
        });
  }

  Line& line(const Step& step) {
    if (!lines_.contains(step.connection)) connect({.connection = step.connection});
    return lines_.at(step.connection);
  }
  Session& session(const Step& step) { return *line(step).session; }

  milliseconds time_for(const Step& step) {
    if (step.within) probe_.compares_times();
    return step.within.value_or(probe_.timeout());
  }

  void request(const Step& step) {
    Session& on = session(step);
    JsonObject params = filled_in(step.params, variables_);
    if (!step.as.empty()) {
      sent_[step.as] = {step.subject, on.send_request(step.subject, std::move(params))};
      return;
    }
    const milliseconds usual = std::exchange(on.options().timeout, time_for(step));
    const Answer answer = on.request_with_inputs(step.subject, params);
    on.options().timeout = usual;
    judge(step, answer, step.subject);
  }

  void await(const Step& step) {
    const Sent& sent = sent_.at(step.subject);
    judge(step, session(step).await(sent.id, time_for(step)), sent.method);
  }

  void judge(const Step& step, const Answer& answer, const std::string& method) {
    const bool wants_error = step.expected.error.has_value();
    const std::string what = std::string(wants_error ? "an error" : "a result") + " of " + method;
    const std::string in_time = step.within ? " within " + std::to_string(step.within->count()) + " ms" : "";
    if (wants_error ? !answer.is_error() : !answer.ok()) {
      const std::string got = answer.is_missing() || answer.is_error() ? answer.text() : shown_of(answer);
      probe_.fail(step.text + ": " + what + in_time, got);
    }
    const auto& matcher = wants_error ? step.expected.error : step.expected.result;
    if (matcher) match(step, *matcher, answer.result, what);
    keep(step, answer.result);
  }

  static std::string shown_of(const Answer& answer) {
    return answer.ok() ? "the result " + shown(answer.result) : answer.text();
  }

  void match(const Step& step, const Json& matcher, const Json& found, const std::string& what) {
    const Json wanted = filled_in(matcher, variables_);
    const std::string why = mismatch(wanted, &found);
    if (!why.empty()) probe_.fail(step.text + ": " + what + " that matches " + shown(wanted), why);
  }

  void keep(const Step& step, const Json& found) {
    for (const auto& [name, pointer] : step.keep) {
      boost::system::error_code none;
      const Json* const value = found.find_pointer(pointer, none);
      if (value == nullptr)
        probe_.fail(step.text + ": a value at " + pointer + ", to be kept as \"" + name + "\"", shown(found));
      variables_[name] = *value;
    }
  }

  const Message* next_message(const Step& step, const Json& wanted) {
    Line& on = line(step);
    const auto fits = [&](const Message& message) {
      const auto number = static_cast<std::size_t>(&message - on.session->messages().data());
      const bool is_theirs = message.kind == Message::Kind::request || message.kind == Message::Kind::notification;
      return is_theirs && !on.taken.contains(number) && mismatch(wanted, &message.json).empty();
    };
    return on.session->wait_for(0, fits, time_for(step));
  }

  void expect_message(const Step& step) {
    const Json wanted = filled_in(step.message, variables_);
    const Message* const message = next_message(step, wanted);
    if (message == nullptr) probe_.fail(step.text + ": a message that matches " + shown(wanted), others_of(line(step)));
    line(step).taken.insert(static_cast<std::size_t>(message - session(step).messages().data()));
    keep(step, message->json);
  }

  void expect_no_message(const Step& step) {
    const Json wanted = filled_in(step.message, variables_);
    if (const Message* const message = next_message(step, wanted))
      probe_.fail(step.text + ": no message that matches " + shown(wanted), shown(message->json));
  }

  /// What came instead of a message: the last that came and was not expected.
  static std::string others_of(const Line& on) {
    const auto& messages = on.session->messages();
    for (std::size_t number = messages.size(); number > 0; --number) {
      const Message& message = messages[number - 1];
      if (message.kind != Message::Kind::response && !on.taken.contains(number - 1))
        return "none; the last of others: " + message.text.substr(0, Session::shown_foreign);
    }
    return "none";
  }

  void close(const Step& step) {
    const milliseconds time = time_for(step);
    if (!session(step).end(time))
      probe_.fail(step.text + ": the end of the server within " + std::to_string(time.count()) +
                      " ms after the end of its input",
                  "it goes on");
  }

  Probe& probe_;
  const Scenario& scenario_;
  JsonObject variables_;
  std::map<std::string, Line> lines_;
  std::map<std::string, Sent> sent_;
};

}  // namespace

void play(Probe& probe, const Scenario& scenario) { Play(probe, scenario).run(); }

}  // namespace toolwire::conformance
