#include "play/stage.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

namespace toolwire::conformance {
namespace {

constexpr std::chrono::hours long_time{1};

int open_signals() {
  sigset_t ending;
  sigemptyset(&ending);
  for (const int number : {SIGTERM, SIGINT}) sigaddset(&ending, number);
  ::pthread_sigmask(SIG_BLOCK, &ending, nullptr);
  return ::signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK);
}

int left_until(Clock::time_point until) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
  return static_cast<int>(std::max<std::chrono::milliseconds::rep>(0, left.count()));
}

}  // namespace

Stage::Stage(const PlaySettings& settings, PlayedLinesWriter& lines)
    : settings_(settings), lines_(lines), served_(*settings.revision), signals_(open_signals()) {
  ::fcntl(STDOUT_FILENO, F_SETFL, ::fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK);
}

void Stage::send(const Json& message) { write(to_json_text(message) + line_ending_); }

void Stage::write(std::string_view bytes) {
  lines_.add(From::server, bytes, bytes.ends_with('\n'));
  auto until = Clock::now() + settings_.wait;
  while (!bytes.empty() && !broken_) {
    const ssize_t count = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
      until = Clock::now() + settings_.wait;
      continue;
    }
    pollfd output{STDOUT_FILENO, POLLOUT, 0};
    const bool may_go_on = errno == EINTR || (errno == EAGAIN && ::poll(&output, 1, left_until(until)) > 0);
    if (may_go_on) continue;
    broken_ = true;
    note(note::unread);
  }
}

void Stage::write_error(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(STDERR_FILENO, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) return;
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void Stage::close_input() {
  ::close(STDIN_FILENO);
  input_ended_ = true;
}

void Stage::take_signals() {
  signalfd_siginfo signal{};
  while (::read(signals_, &signal, sizeof signal) == static_cast<ssize_t>(sizeof signal)) {
    note("signal " + std::to_string(signal.ssi_signo));
    if (obeys_signals_) throw InputEnded{};
  }
}

/// False if the time has passed.
bool Stage::read_some(std::chrono::milliseconds time) {
  std::array<pollfd, 2> waiting{pollfd{input_ended_ ? -1 : STDIN_FILENO, POLLIN, 0}, pollfd{signals_, POLLIN, 0}};
  const int ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(time.count()));
  if (ready <= 0) return ready < 0 && errno == EINTR;
  if (waiting[1].revents != 0) take_signals();
  if (waiting[0].revents == 0) return true;
  std::array<char, 64 << 10> buffer{};
  const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
  if (count < 0) return true;
  if (count == 0) {
    if (!partial_.empty()) lines_.add(From::host, partial_, false);
    note(note::input_ended);
    input_ended_ = true;
    throw InputEnded{};
  }
  partial_.append(buffer.data(), static_cast<std::size_t>(count));
  for (std::size_t end = 0; (end = partial_.find('\n')) != std::string::npos; partial_.erase(0, end + 1)) {
    const std::string_view line = std::string_view(partial_).substr(0, end);
    lines_.add(From::host, line);
    waiting_.push_back(read_message(line, true));
  }
  return true;
}

std::optional<Message> Stage::next(std::chrono::milliseconds time) {
  const auto until = Clock::now() + time;
  while (waiting_.empty()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0) return std::nullopt;
    read_some(std::min<std::chrono::milliseconds>(left, std::chrono::seconds{1}));
  }
  Message first = std::move(waiting_.front());
  waiting_.pop_front();
  return first;
}

void Stage::serve(const Message& message) {
  if (message.kind == Message::Kind::request) send(served_.response_to(message));
  if (message.kind != Message::Kind::batch) return;
  JsonArray answers;
  for (const Json& one : message.json.as_array()) {
    const Message part = read_message(to_json_text(one), true);
    if (part.kind == Message::Kind::request) answers.push_back(served_.response_to(part));
  }
  if (!answers.empty()) send(answers);
}

std::optional<Message> Stage::serve_until(const Fits& fits, std::chrono::milliseconds time) {
  const auto until = Clock::now() + time;
  while (Clock::now() < until) {
    std::optional<Message> message = next(std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()));
    if (!message) break;
    if (fits(*message)) return message;
    serve(*message);
  }
  return std::nullopt;
}

void Stage::serve_for(std::chrono::milliseconds time) {
  serve_until([](const Message&) { return false; }, time);
}

Message Stage::await(std::string_view method) {
  const auto fits = [&](const Message& it) { return it.kind == Message::Kind::request && it.method() == method; };
  std::optional<Message> found = serve_until(fits, long_time);
  if (!found) throw InputEnded{};
  return std::move(*found);
}

Message Stage::stimulus() {
  Message main = await(settings_.main);
  note(note::stimulus);
  return main;
}

void Stage::answer(const Message& main) {
  serve(main);
  note(note::answered);
}

std::optional<Message> Stage::ask(const Json& id, std::string_view method, JsonObject params) {
  send(request(id, method, std::move(params)));
  const auto is_answer = [&](const Message& it) {
    return it.kind == Message::Kind::response && it.id() == std::optional<Json>(id);
  };
  return serve_until(is_answer, settings_.wait);
}

void Stage::probe(std::string_view id) {
  if (!modern()) ask(Json(id), "ping");
}

void Stage::end(int status) {
  note(note::played);
  note(note::ended);
  ::_exit(status);
}

void Stage::finish() {
  note(note::played);
  serve_for(long_time);
}

}  // namespace toolwire::conformance
