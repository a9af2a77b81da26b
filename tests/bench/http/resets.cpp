#include "resets.hpp"

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <toolwire/http/listen.hpp>
#include <vector>

#include "client.hpp"
#include "servers.hpp"

namespace toolwire::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Instant = std::atomic<Clock::rep>;  // 0: it has not come
constexpr unsigned at_once = 8;
constexpr unsigned longest_work = 1'000;  // microseconds
constexpr std::chrono::seconds patience{5};

struct Call {
  Instant began, answered, cancelled;
};

/// Seen by both processes.
Call* calls = nullptr;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

Call* shared_calls(std::size_t count) {
  void* const memory = ::mmap(nullptr, count * sizeof(Call), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no memory");
  return new (memory) Call[count]{};
}

Clock::rep now() { return Clock::now().time_since_epoch().count(); }

/// Waits this long, or to be cancelled.
std::string work(Context& context, std::int64_t call, std::int64_t microseconds) {
  Call& mine = calls[call];
  mine.began = now();
  std::mutex mutex;
  std::condition_variable_any changed;
  std::unique_lock lock(mutex);
  changed.wait_for(lock, context.stop_token(), std::chrono::microseconds(microseconds), [] { return false; });
  (context.stop_token().stop_requested() ? mine.cancelled : mine.answered) = now();
  return "done";
}

void serve(int told) {
  Server server({"bench", "1"}, ServerOptions{.threads = at_once});
  server.tool(
      "work", "Waits", args("call", "microseconds"),
      [](std::int64_t call, std::int64_t microseconds, Context& context) { return work(context, call, microseconds); });
  tell_port(told, http::listen(server, {}));
  server.run();
}

/// Whatever is unsent or unread is thrown away, and the server is told so.
Clock::rep reset(int socket) {
  const linger at_once_and_loud{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once_and_loud, sizeof at_once_and_loud);
  const Clock::rep when = now();
  ::close(socket);
  return when;
}

/// Each `at_once`th call, from this one on. Half of them work until they are cancelled.
void play(std::uint16_t port, std::size_t first, std::vector<Clock::rep>& resets) {
  std::minstd_rand random(static_cast<unsigned>(first) + 1);
  for (std::size_t i = first; i < resets.size(); i += at_once) {
    const auto microseconds = static_cast<std::int64_t>(random() % 2 == 0 ? 60'000'000 : random() % longest_work);
    const int socket = connected_to(port);
    const std::string text = work_text(port, i, microseconds);
    ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % longest_work));
    resets[i] = reset(socket);
  }
}

bool is_over(const Call& call) { return call.began == 0 || call.answered != 0 || call.cancelled != 0; }

Resets judged(const std::vector<Clock::rep>& resets) {
  Resets result;
  for (std::size_t i = 0; i < resets.size(); ++i) {
    if (calls[i].began == 0) continue;
    ++result.began;
    if (calls[i].answered != 0) ++result.answered;
    if (calls[i].cancelled == 0) continue;
    ++result.cancelled;
    const std::chrono::duration<double, std::milli> took = Clock::duration(calls[i].cancelled - resets[i]);
    result.longest = std::max(result.longest, took.count());
  }
  return result;
}

}  // namespace

Resets reset_calls(std::size_t count) {
  calls = shared_calls(count);
  const ServerProcess server(serve);
  std::vector<Clock::rep> resets(count);
  {
    std::vector<std::jthread> clients;
    for (std::size_t i = 0; i < at_once; ++i) clients.emplace_back([&, i] { play(server.port(), i, resets); });
  }
  const auto until = Clock::now() + patience;
  for (int quiet = 0; quiet < 50 && Clock::now() < until;) {  // one may have been read that has not begun yet
    quiet = std::all_of(calls, calls + count, is_over) ? quiet + 1 : 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return judged(resets);
}

}  // namespace toolwire::bench
