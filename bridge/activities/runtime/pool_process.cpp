#include "activities/runtime/pool_process.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <toolwire/redact.hpp>
#include <toolwire/text.hpp>

#include "activities/runtime/in_seconds.hpp"

namespace toolwire::bridge::runtimes {
namespace {

constexpr std::size_t kept_errors = std::size_t{4} << 10;
constexpr std::size_t shown_of_stray = 200;  // bytes

std::string last_words(const std::string& tail, const std::vector<std::string>& secrets) {
  std::string text = redact(text::stripped(tail, text::lines), secrets);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? "" : "\n" + text;
}

/// What to do about an end that is known not to be a tool's mistake; empty for all others.
std::string advice_for(const std::string& tail, const Confinement& confinement) {
  const bool is_out_of_room = tail.find("reserve virtual memory for CodeRange") != std::string::npos;
  if (!is_out_of_room || confinement.limits.memory == 0) return {};
  return ": limits.memory of its confinement leaves no room for V8's code, which takes 512 MiB of it in Node 24 and "
         "later; "
         "give it 700 MiB or more, or run an earlier Node";
}

}  // namespace

PoolProcess::PoolProcess(EventLoop& loop, const RuntimeOptions& options, std::uint64_t& last_id, bool wants_listing,
                         ProcessEvents events)
    : loop_(loop),
      options_(options),
      last_id_(last_id),
      events_(std::move(events)),
      errors_(kept_errors),
      child_(loop, options.start,
             ChildEvents{.line = [this](std::string_view line) { take_line(line); },
                         .too_long = [this] { end("it wrote a line of more than 80 MiB", true); },
                         .said = [this](std::string_view line) { events_.said(line); },
                         .wrote = [this](std::string_view bytes) { errors_.add(bytes); },
                         .gone = [this](const std::string& how) { take_end(how); }}) {
  set_timer(options_.start_timeout,
            [this] { end("it did not answer within " + in_seconds(options_.start_timeout) + " at its start", true); });
  ask("ping");
  JsonObject configuration{{"workers", std::min<std::size_t>(options_.calls_at_once, 1024)}};
  if (options_.permissions) configuration["permissions"] = *options_.permissions;
  ask("configure", to_json_text(configuration));
  if (wants_listing) ask("registry.list");
}

void PoolProcess::ask(std::string method, std::string_view params) {
  const std::uint64_t id = ++last_id_;
  child_.send(request_line(id, method, params));
  asked_.emplace(id, std::move(method));
}

void PoolProcess::take_line(std::string_view line) {
  RuntimeMessage message;
  try {
    message = read_runtime_message(line);
  } catch (const BrokenWire& error) {
    tell_stray(line);
    return end(error.what(), true);
  }
  using Kind = RuntimeMessage::Kind;
  if (message.kind == Kind::progress) return events_.progressed(message);
  if (message.kind == Kind::refusal)
    return end("it did not understand the bridge: " + trouble_from(message.body).text, true);
  if (message.kind == Kind::other) return;
  if (asked_.contains(message.id)) return take_own_answer(std::move(message));
  errors_.end(message.id);
  events_.answered(std::move(message));
}

/// As what is written to standard error: nobody could see it otherwise.
void PoolProcess::tell_stray(std::string_view line) {
  const std::string shown = text::visible(text::head(line, shown_of_stray));
  events_.said(shown);
  errors_.add(shown + "\n");
}

void PoolProcess::begin(std::uint64_t call, std::string_view line) {
  child_.take_errors();  // what was written until now does not come from this call
  errors_.begin(call);
  child_.send(line);
}

void PoolProcess::take_own_answer(RuntimeMessage&& message) {
  const auto found = asked_.find(message.id);
  const std::string method = std::move(found->second);
  asked_.erase(found);
  if (is_leaving()) return;
  if (message.kind == RuntimeMessage::Kind::error)
    return end("it refused \"" + method + "\": " + trouble_from(message.body).text, true);
  if (method == "registry.list") {
    try {
      events_.listed(listing_from(message.body));
    } catch (const std::invalid_argument& error) {
      return end(std::string("it did not list its tools: ") + error.what(), true);
    }
  }
  if (!asked_.empty()) return;
  begin_looking();
  events_.ready();
}

void PoolProcess::begin_looking() {
  set_timer(options_.health_interval, [this] { look_after(); });
}

/// A process with calls is not checked: a tool may block it as long as its deadline allows.
void PoolProcess::look_after() {
  if (events_.has_calls()) return begin_looking();
  ask("ping");
  set_timer(options_.health_timeout, [this] {
    if (!events_.has_calls())
      return end("it did not answer a ping within " + in_seconds(options_.health_timeout), true);
    asked_.clear();  // it has calls meanwhile
    look_after();
  });
}

void PoolProcess::end(std::string reason, bool is_to_blame) {
  if (is_leaving()) return;
  ending_ = {.reason = std::move(reason), .is_to_blame = is_to_blame};
  events_.leaving();
  stop_timer();
  child_.kill();
}

void PoolProcess::say_goodbye() {
  if (is_leaving()) return;
  ending_ = {.reason = "it is not needed any more", .is_planned = true, .is_to_blame = false};
  events_.leaving();
  ask("shutdown", R"({"timeout":0})");
  child_.close_input();
  set_timer(options_.drain, [this] { child_.kill(); });
}

void PoolProcess::set_timer(std::chrono::milliseconds after, EventLoop::Job job) {
  stop_timer();
  timer_ = loop_.at(EventLoop::Clock::now() + after, [this, job = std::move(job)] {
    timer_.reset();
    job();
  });
}

void PoolProcess::stop_timer() {
  if (timer_) loop_.cancel(*timer_);
  timer_.reset();
}

void PoolProcess::take_end(const std::string& how) {
  stop_timer();
  asked_.clear();
  ProcessEnding ending =
      ending_.value_or(ProcessEnding{.reason = how + advice_for(errors_.before_calls(), options_.start.confinement)});
  if (ending.is_to_blame) {
    ending.at_start = last_words(errors_.before_calls(), options_.secrets);
    ending.said_by = [this](std::uint64_t call) {
      return last_words(errors_.of(call), options_.secrets) +
             (errors_.has_unattributed(call)
                  ? "\n(What was written to standard error while several calls ran is in the log only.)"
                  : "");
    };
  }
  ending_ = ending;  // from here on nothing is sent to it
  events_.gone(std::move(ending));
}

}  // namespace toolwire::bridge::runtimes
