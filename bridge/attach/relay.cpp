#include "attach/relay.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string_view>
#include <utility>

#include "attach/own_folder.hpp"

namespace toolwire::attach {
namespace {

constexpr std::size_t chunk = std::size_t{16} << 10;
constexpr std::size_t enough_waiting = std::size_t{64} << 10;  // more is not read while so much is yet to be written
constexpr std::size_t enough_of_line = (std::size_t{80} << 20) + 1;  // a daemon refuses, and answers, longer ones
constexpr unsigned max_deaths = 5;
constexpr long short_life_ms = 5'000;
constexpr long patience_with_silence_ms = 5'000;
constexpr long patience_after_signal_ms = 3'000;  // for answers to what was asked before

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): handlers reach nothing else
volatile std::sig_atomic_t told_to_end = 0;

void take_signal(int) { told_to_end = 1; }

/// Those that end the input. While there is no daemon they end the process, else they are delivered only while `wait`
/// waits, so that none is missed.
void set_signals(bool are_taken) {
  sigset_t ours;
  ::sigemptyset(&ours);
  struct sigaction action {};
  action.sa_handler = are_taken ? take_signal : SIG_DFL;
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
    if (are_taken) ::sigaddset(&ours, number);
    ::sigaction(number, &action, nullptr);
  }
  ::sigprocmask(SIG_SETMASK, &ours, nullptr);
}

long now_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000 + now.tv_nsec / 1'000'000;
}

/// Large memory is given back.
void clear(std::string& text) {
  if (text.capacity() > chunk) {
    std::string().swap(text);
  } else {
    text.clear();
  }
}

/// What was passed on is taken out of the beginning, so seldom that a long line is not moved again and again.
void drop_half(std::string& text, std::size_t& passed) {
  if (passed < text.size() / 2) return;
  text.erase(0, passed);
  passed = 0;
}

/// Calls `take` with each whole line, of which no more than `most` bytes are kept, and keeps the rest.
template <class Take>
void take_lines(std::string& rest, std::string_view more, std::size_t most, const Take& take) {
  const auto add = [&](std::string_view text) { rest.append(text.substr(0, most - std::min(most, rest.size()))); };
  while (true) {
    const std::size_t end = more.find('\n');
    if (end == std::string_view::npos) break;
    if (rest.empty()) {
      take(more.substr(0, end));
    } else {
      add(more.substr(0, end));
      take(std::string_view(rest));
      clear(rest);
    }
    more.remove_prefix(end + 1);
  }
  add(more);
}

}  // namespace

int Relay::run() {
  std::signal(SIGPIPE, SIG_IGN);
  if (!connect()) return 1;
  while (step() == Outcome::go_on) {
  }
  flush_to_host();
  return !has_lost_output_ && (socket_.is_open() || host_has_ended_) ? 0 : 1;
}

bool Relay::know_secret() {
  Secret secret = secret_of(folder_of(daemon_.socket));
  if (!secret.trouble.empty()) std::fprintf(stderr, "toolwire-attach: %s\n", secret.trouble.c_str());
  secret_ = std::move(secret.text);
  return !secret_.empty();
}

bool Relay::connect() {
  set_signals(false);
  if (!know_secret()) return false;
  wait_for_end(daemon_process_);
  Connection made = connect_or_start(daemon_);
  set_signals(true);
  if (!made.trouble.empty()) std::fprintf(stderr, "toolwire-attach: %s\n", made.trouble.c_str());
  socket_ = std::move(made.socket);
  daemon_process_ = std::move(made.process);
  daemon_id_ = made.id;
  first_ = secret_ + "\n";
  input_has_ended_ = false;
  has_asked_ = false;
  answer_due_ = 0;
  connected_at_ = now_ms();
  return socket_.is_open();
}

bool Relay::wants_more_of_host() const { return !host_has_ended_ && to_daemon_.size() < enough_waiting; }

/// What each is ready for, 0 for nothing.
void Relay::wait(short& host, short& daemon, short& output) {
  const bool has_more = !first_.empty() || (!to_daemon_.empty() && !conversation_.is_beginning_again());
  const bool is_heard = to_host_.size() < enough_waiting;
  const auto for_daemon = static_cast<short>((is_heard ? POLLIN : 0) | (has_more ? POLLOUT : 0));
  const auto for_output = static_cast<short>(to_host_.empty() ? 0 : POLLOUT);
  std::array<pollfd, 3> waiting{{{wants_more_of_host() ? STDIN_FILENO : -1, POLLIN, 0},
                                 {socket_.get(), for_daemon, 0},
                                 {STDOUT_FILENO, for_output, 0}}};
  const long until = ends_by_ != 0 ? ends_by_ : is_heard ? answer_due_ : 0;
  const long left = std::max(0L, until - now_ms());
  const timespec patience{left / 1'000, left % 1'000 * 1'000'000};
  sigset_t none;
  ::sigemptyset(&none);
  const int ready = ::ppoll(waiting.data(), waiting.size(), until != 0 ? &patience : nullptr, &none);
  host = daemon = output = 0;
  if (ready > 0) {
    host = waiting[0].revents;
    daemon = waiting[1].revents;
    output = waiting[2].revents;
  } else if (ready == 0) {
    patience_is_over(output);
  }
}

/// With whoever is to end; or with a daemon that stands still, to which everything can be said, while hosts show
/// nothing but that they wait.
void Relay::patience_is_over(short& output) {
  if (ends_by_ != 0) {
    output = POLLNVAL;
    return;
  }
  answer_due_ = 0;
  std::fprintf(stderr, "toolwire-attach: the bridge, process %d, has not answered for %ld s; its log: %s\n", daemon_id_,
               patience_with_silence_ms / 1'000, daemon_.log.c_str());
}

Relay::Outcome Relay::step() {
  short host = 0, daemon = 0, output = 0;
  wait(host, daemon, output);
  if (told_to_end != 0 && ends_by_ == 0) {
    host_has_ended_ = true;
    ends_by_ = now_ms() + patience_after_signal_ms;
  }
  if ((output & (POLLERR | POLLHUP | POLLNVAL)) != 0) {  // nobody reads any more
    host_has_ended_ = true;
    told_ = 0;
    clear(to_host_);
    return Outcome::over;
  }
  if (host != 0 && !host_has_ended_) read_host();
  if ((output & POLLOUT) != 0 && write_to_host() == Outcome::over) return Outcome::over;
  if ((daemon & (POLLIN | POLLHUP | POLLERR)) != 0 && read_daemon() == Outcome::over) return Outcome::over;
  if ((daemon & POLLOUT) != 0 && !write_to_daemon()) return daemon_is_gone();
  end_input();
  return Outcome::go_on;
}

void Relay::read_host() {
  std::array<char, chunk> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init): read into at once
  const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  Lines out;
  if (count > 0) {
    take_lines(from_host_, {bytes.data(), static_cast<std::size_t>(count)}, enough_of_line,
               [&](std::string_view line) { conversation_.from_host(line, out); });
  } else {
    host_has_ended_ = true;
    if (!from_host_.empty()) conversation_.from_host(from_host_, out);  // a last line without its end
    clear(from_host_);
  }
  to_daemon_ += out.to_daemon;
  to_host_ += out.to_host;
}

Relay::Outcome Relay::read_daemon() {
  std::array<char, chunk> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init): read into at once
  const ssize_t count = ::recv(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return Outcome::go_on;
  if (count <= 0) return daemon_is_gone();
  answer_due_ = 0;
  Lines out;
  take_lines(from_daemon_, {bytes.data(), static_cast<std::size_t>(count)}, std::string::npos,
             [&](std::string_view line) { conversation_.from_daemon(line, out); });
  to_host_ += out.to_host;
  first_ += out.to_daemon;
  return Outcome::go_on;
}

Relay::Outcome Relay::write_to_host() {
  const std::ptrdiff_t count = write_some(STDOUT_FILENO, std::string_view(to_host_).substr(told_));
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return Outcome::go_on;
  if (count < 0) note_lost_output(errno);
  if (count > 0) told_ += static_cast<std::size_t>(count);
  if (count >= 0 && told_ < to_host_.size()) {
    drop_half(to_host_, told_);
    return Outcome::go_on;
  }
  told_ = 0;
  clear(to_host_);
  return count < 0 ? Outcome::over : Outcome::go_on;
}

/// A host that has closed its end is no failure; a full disk is.
void Relay::note_lost_output(int error) {
  if (says_nobody_reads(STDOUT_FILENO, error)) return;
  has_lost_output_ = true;
  std::fprintf(stderr, "toolwire-attach: standard output cannot be written: %s\n", std::strerror(error));
}

/// False if the daemon takes nothing any more.
bool Relay::write_to_daemon() {
  const bool is_first = !first_.empty();
  const std::string_view rest = is_first ? std::string_view(first_) : std::string_view(to_daemon_).substr(written_);
  const std::ptrdiff_t count = ::send(socket_.get(), rest.data(), rest.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  const bool has_asked = !is_first || conversation_.is_beginning_again();
  if (has_asked && !std::exchange(has_asked_, true)) answer_due_ = now_ms() + patience_with_silence_ms;
  if (is_first) {
    first_.erase(0, static_cast<std::size_t>(count));
    return true;
  }
  const std::size_t in_sent = rest.substr(0, static_cast<std::size_t>(count)).rfind('\n');
  const std::size_t end = written_ + in_sent;
  written_ += static_cast<std::size_t>(count);
  if (in_sent == std::string_view::npos) return true;
  lines_written_ += end + 1;
  written_ -= end + 1;
  if (end + 1 == to_daemon_.size()) {
    clear(to_daemon_);
  } else {
    to_daemon_.erase(0, end + 1);
  }
  return true;
}

/// The daemon is told that there is no more once it has all.
void Relay::end_input() {
  if (!host_has_ended_ || input_has_ended_ || !to_daemon_.empty() || !first_.empty() ||
      conversation_.is_beginning_again())
    return;
  input_has_ended_ = true;
  ::shutdown(socket_.get(), SHUT_WR);
}

/// Half a line of it is forgotten. If the host has ended, that was what the daemon waited for.
Relay::Outcome Relay::daemon_is_gone() {
  clear(from_daemon_);
  if (host_has_ended_) return give_up();
  deaths_ = now_ms() - connected_at_ < short_life_ms ? deaths_ + 1 : 0;
  if (deaths_ >= max_deaths) {
    std::fprintf(stderr,
                 "toolwire-attach: the daemon ends again and again, or has another secret than its folder has now "
                 "(toolwire-bridge stop --all ends it); its log: %s\n",
                 daemon_.log.c_str());
    socket_ = Descriptor();
    return give_up();
  }
  socket_ = Descriptor();
  if (!connect()) return give_up();
  written_ = 0;
  Lines out;
  conversation_.begin_again(lines_written_, out);
  to_host_ += out.to_host;
  first_ += out.to_daemon;
  return Outcome::go_on;
}

Relay::Outcome Relay::give_up() {
  Lines out;
  conversation_.give_up(lines_written_, out);
  to_host_ += out.to_host;
  return Outcome::over;
}

/// The last lines; a host that does not read them is not waited for long.
void Relay::flush_to_host() {
  while (!to_host_.empty()) {
    pollfd output{STDOUT_FILENO, POLLOUT, 0};
    if (::poll(&output, 1, static_cast<int>(patience_after_signal_ms)) <= 0) return;
    if (write_to_host() == Outcome::over) return;
  }
}

}  // namespace toolwire::attach
