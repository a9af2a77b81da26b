#include "proxy.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <system_error>
#include <toolwire/system/end_by_signal.hpp>
#include <toolwire/text.hpp>
#include <utility>
#include <variant>

#include "install/server_start.hpp"
#include "traffic.hpp"

namespace toolwire::dev {
namespace {

using namespace std::chrono_literals;

/// A linker writes for a while: a version is tried when nothing has changed for so long.
constexpr auto until_files_are_whole = 150ms;
constexpr auto longest_greeting = 30s;
// Who sends a signal may kill 2 s later, which reaches the servers but not what they have started.
constexpr Grace in_time{.until_told = 2s, .until_killed = 5s};
constexpr Grace soon{.until_told = 800ms, .until_killed = 1800ms};
constexpr Grace after_its_time{.until_told = 0s, .until_killed = 1s};  // the end of input was not enough
constexpr Grace at_once{.until_told = 0s, .until_killed = 0s};
constexpr std::size_t most_for_host = std::size_t{64} << 20;
constexpr std::size_t most_for_server = std::numeric_limits<std::size_t>::max();  // else both could wait for each other

/// What the server is made of, as far as its command says: the program, and arguments that are files.
std::vector<std::filesystem::path> files_of(const std::vector<std::string>& command) {
  std::vector<std::filesystem::path> files;
  for (const std::string& word : command) {
    std::error_code error;
    const std::filesystem::path path = std::filesystem::absolute(word, error).lexically_normal();
    if (error || (&word != &command.front() && !std::filesystem::is_regular_file(path, error))) continue;
    files.push_back(path);
    // A link stays as it is when what it leads to is built anew.
    const std::filesystem::path real = std::filesystem::canonical(path, error);
    if (!error && real != path) files.push_back(real);
  }
  return files;
}

std::string milliseconds(std::chrono::steady_clock::duration time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(time).count()) + " ms";
}

}  // namespace

Proxy::Running::Running(const std::vector<std::string>& command, Version version, Events& events)
    : process({.command = command, .errors = Program::Errors::inherit, .own_group = true, .end_with_parent = true}),
      writer(std::make_unique<LineWriter>(process.transport())),
      reader([this, version, &events] {
        read_lines(process.transport(), [&](std::string_view line) {
          events.push(ServerLine{.version = version, .text = std::string(line)});
        });
        events.push(ServerEnded{version});
      }) {}

Proxy::Running::~Running() {
  process.kill();
  if (reader.joinable()) reader.join();
}

Proxy::Proxy(ProxyOptions options, Transport& host) : options_(std::move(options)), host_(host), to_host_(host_) {
  running_.try_emplace(last_, options_.command, last_, events_);
  changed_files_ = std::make_unique<ChangedFiles>(files_of(options_.command), [this] { events_.push(FilesChanged{}); });
  host_reader_ = std::thread([this] {
    read_lines(
        host_, [this](std::string_view line) { events_.push(HostLine{std::string(line)}); }, &is_over_);
    if (!is_over_) events_.push(HostEnded{});
    host_is_read_ = false;
  });
}

Proxy::~Proxy() {
  while (is_over_ && host_is_read_) {  // an interrupt may come just before a read
    host_.interrupt();
    std::this_thread::sleep_for(1ms);
  }
  if (host_reader_.joinable()) host_reader_.join();
}

void Proxy::end() {
  is_over_ = true;
  events_.push(EndAsked{});
}

void Proxy::run() {
  while (!host_has_ended_ || !running_.empty()) {
    if (std::optional<Event> event = events_.next(next_time())) std::visit([this](auto& one) { handle(one); }, *event);
    handle_time();
  }
}

std::optional<Proxy::Clock::time_point> Proxy::next_time() const {
  std::optional<Clock::time_point> next;
  const auto consider = [&](const std::optional<Clock::time_point>& time) {
    if (time && (!next || *time < *next)) next = time;
  };
  consider(try_at_);
  consider(refuse_at_);
  for (const auto& [version, running] : running_) {
    consider(running.told_at);
    consider(running.killed_at);
  }
  return next;
}

void Proxy::handle_time() {
  const Clock::time_point now = Clock::now();
  for (auto& [version, running] : running_) {
    if (running.told_at && now >= *running.told_at) {
      running.process.signal(system::request_to_end);
      running.told_at.reset();
    }
    if (running.killed_at && now >= *running.killed_at) {
      running.process.kill();
      running.killed_at.reset();
    }
  }
  if (refuse_at_ && now >= *refuse_at_) refuse("it has not answered within 30 s");
  if (try_at_ && now >= *try_at_) try_new_version();
}

void Proxy::handle(HostLine& line) {
  show("→", conversation_.current(), line.text);
  send(conversation_.from_host(line.text));
  after_message();
}

void Proxy::handle(HostEnded& /*end*/) {
  if (std::exchange(host_has_ended_, true)) return;
  try_at_.reset();
  refuse_at_.reset();
  for (auto& [version, running] : running_) let_end(version, in_time);
}

void Proxy::handle(EndAsked& /*asked*/) {
  const Grace grace = host_has_ended_ ? after_its_time : soon;
  HostEnded end;
  handle(end);
  for (auto& [version, running] : running_) let_end(version, grace);
}

void Proxy::handle(ServerLine& line) {
  show("←", line.version, line.text);
  say_if_stray(line);
  send(conversation_.from_server(line.version, line.text));
  after_message();
}

void Proxy::handle(ServerEnded& end) {
  const auto running = running_.find(end.version);
  if (running == running_.end()) return;
  // One that has closed its output and lives on is of no use.
  if (!running->second.process.wait_for(1s)) running->second.process.kill();
  const std::string how = running->second.process.wait().text();
  const bool was_tried = tried_ == end.version, was_current = conversation_.current() == end.version;
  const bool has_worked = was_current && conversation_.has_answered();
  running_.erase(running);
  if (was_tried) refuse("it " + how + " before it has answered");
  send(conversation_.ended(end.version, "the server " + how + " before it had answered"));
  if (!was_current || host_has_ended_) return;
  say("the server " + how);
  if (tried_ || try_at_) return;
  if (has_worked)
    try_new_version();
  else
    send(conversation_.give_up("the server " + how + "; it is started again when it has been built anew"));
}

void Proxy::handle(FilesChanged& /*change*/) {
  if (!host_has_ended_) try_at_ = Clock::now() + until_files_are_whole;
}

void Proxy::try_new_version() {
  try_at_.reset();
  if (tried_) let_end(*tried_, at_once);
  tried_ = ++last_;
  tried_since_ = Clock::now();
  refuse_at_ = tried_since_ + longest_greeting;
  try {
    running_.try_emplace(last_, options_.command, last_, events_);
  } catch (const std::system_error& error) {
    refuse(error.what() + install::why_not_started(error, options_.command.front(), ""));
    return;
  } catch (const std::exception& error) {
    refuse(error.what());
    return;
  }
  send(conversation_.greet(last_));
  after_message();
}

void Proxy::refuse(const std::string& reason) {
  if (!tried_) return;
  const Version refused = *std::exchange(tried_, std::nullopt);
  refuse_at_.reset();
  const bool has_other = conversation_.current() != 0;
  say("the new version is not taken: " + reason + (has_other ? "; the one before stays" : ""));
  send(conversation_.give_up("the new version of the server is not taken: " + reason));
  if (running_.contains(refused)) let_end(refused, at_once);
}

/// What a message may have brought about.
void Proxy::after_message() {
  if (const auto reason = conversation_.refusal()) refuse(*reason);
  if (const Version current = conversation_.current(); current != 0 && current != answering_) {
    answering_ = current;
    if (tried_ == current) {
      tried_.reset();
      refuse_at_.reset();
      say("version " + std::to_string(current) + " answers, " + milliseconds(Clock::now() - tried_since_) +
          " after it was started");
    }
  }
  for (auto& [version, running] : running_) {
    if (!running.killed_at && tried_ != version && conversation_.is_done(version)) let_end(version, in_time);
  }
}

void Proxy::let_end(Version version, Grace grace) {
  Running& running = running_.at(version);
  running.process.close_input();
  const Clock::time_point told_at = Clock::now() + grace.until_told, killed_at = Clock::now() + grace.until_killed;
  running.told_at = std::min(running.told_at.value_or(told_at), told_at);
  running.killed_at = std::min(running.killed_at.value_or(killed_at), killed_at);
}

void Proxy::send(const std::vector<Sent>& lines) {
  for (const Sent& one : lines) {
    if (one.to == Sent::to_host) {
      to_host_.write(one.line, most_for_host);
    } else if (const auto running = running_.find(one.to); running != running_.end()) {
      running->second.writer->write(one.line, most_for_server);
    }
  }
}

/// Here such lines are left out; without this program a host would read them.
void Proxy::say_if_stray(const ServerLine& line) {
  const auto running = running_.find(line.version);
  if (running == running_.end() || running->second.has_strayed || !install::is_stray(line.text)) return;
  running->second.has_strayed = true;
  constexpr std::size_t shown_bytes = 200;
  say("the server writes to its standard output what is no message, and a host may refuse it for that: " +
      std::string(text::head(line.text, shown_bytes)));
}

void Proxy::say(const std::string& text) const {
  std::fprintf(stderr, "toolwire dev: %s\n", text::visible(text).c_str());
}

void Proxy::show(std::string_view arrow, Version version, std::string_view line) const {
  if (!options_.show) return;
  const std::string of_version = version == 0 ? "" : std::to_string(version);
  std::fprintf(stderr, "host %s %s  %s\n", std::string(arrow).c_str(), of_version.c_str(), readable(line).c_str());
}

}  // namespace toolwire::dev
