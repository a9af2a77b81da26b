#include "scenarios.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "served.hpp"

namespace toolwire::bench {
namespace {

using namespace std::chrono_literals;
using Peers = std::vector<std::unique_ptr<Peer>>;

Peers peers(const Served& served, int count) {
  Peers all;
  for (int i = 0; i < count; ++i) all.push_back(served.peer());
  return all;
}

/// The worst of some, and their median. A pause between them, because a peer that never rests would keep others away.
void add_worst(Board& board, std::string_view line, int count, const std::function<double()>& time) {
  std::vector<double> all;
  for (int i = 0; i < count; ++i) {
    all.push_back(time());
    std::this_thread::sleep_for(1ms);
  }
  std::ranges::sort(all);
  board.add(line, all.back(), {{"median ms", all[all.size() / 2]}});
}

/// Until what was asked for is made, which takes both processors: a second of quick calls.
void await_calm(Peer& peer) {
  const auto limit = std::chrono::steady_clock::now() + 30s;
  for (int quick = 0; quick < 1000 && std::chrono::steady_clock::now() < limit;) {
    quick = peer.time(call(1, "echo", R"({"text":"x"})")) < 2 ? quick + 1 : 0;
    std::this_thread::sleep_for(1ms);
  }
}

/// `work` over and over, on a thread of its own, until it is destroyed.
class Meanwhile {
 public:
  explicit Meanwhile(std::function<void()> work)
      : thread_([this, work = std::move(work)] {
          while (!over_) work();
        }) {}
  Meanwhile(const Meanwhile&) = delete;
  Meanwhile& operator=(const Meanwhile&) = delete;
  ~Meanwhile() {
    over_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

/// An argument of so many bytes in JSON.
std::string of_size(std::string_view piece, std::size_t bytes, std::string_view before, std::string_view after) {
  std::string text(before);
  while (text.size() < bytes) text.append(piece);
  return text.append(after);
}

}  // namespace

void short_tools(Board& board, const Amount& amount) {
  const Served served;
  const Peers busy = peers(served, 64);
  const auto other = served.peer();
  const Meanwhile calls([&] {
    for (const auto& peer : busy) peer->say(call(1, "short"));
    for (const auto& peer : busy) peer->hear();
  });
  add_worst(board, "short-tools-ping", amount.pings, [&] { return other->time(ping(1)); });
}

void long_tools(Board& board, const Amount& amount) {
  const Served served;
  const auto busy = served.peer();
  const auto other = served.peer();
  for (int i = 1; i <= 1000; ++i) busy->say(call(i, "long"));
  busy->time(ping(0));
  add_worst(board, "long-tools-call", amount.pings, [&] { return other->time(call(1, "echo", R"({"text":"x"})")); });
}

void peers_that_do_not_read(Board& board, const Amount& amount) {
  const Served served;
  const Peers deaf = peers(served, 10);  // as many as its threads, and two
  const auto other = served.peer();
  for (const auto& peer : deaf) {
    for (int i = 1; i <= 1600; ++i) peer->say(call(i, "much", R"({"bytes":100000})"));
  }
  await_calm(*other);
  add_worst(board, "deaf-peers-ping", amount.pings, [&] { return other->time(ping(1)); });
  add_worst(board, "deaf-peers-call", amount.pings, [&] { return other->time(call(1, "echo", R"({"text":"x"})")); });
}

void large_lines(Board& board, const Amount& amount) {
  const std::size_t bytes = static_cast<std::size_t>(amount.megabytes) * 1'000'000;
  const std::vector<std::pair<std::string_view, std::string>> lines{
      {"large-strings-ping", call(1, "echo", of_size("abcdefghijklmnopqrstuvwxyz", bytes, R"({"text":")", "\"}"))},
      {"large-numbers-ping", call(1, "echo", of_size("12345,", bytes, R"({"text":"x","more":[)", "1]}"))},
      {"large-escapes-ping", call(1, "echo", of_size(R"(\u00e9\n)", bytes, R"({"text":")", "\"}"))}};
  for (const auto& [name, line] : lines) {
    const Served served;
    const auto large = served.peer();
    const auto other = served.peer();
    const Meanwhile calls([&, &text = line] { large->time(text); });
    add_worst(board, name, amount.pings, [&] { return other->time(ping(1)); });
  }
}

void three_hundred(Board& board, const Amount& amount) {
  const Served served;
  const auto stays = served.peer();
  const std::ptrdiff_t before = served.descriptors();
  {
    const Peers all = peers(served, 300);
    for (int round = 0; round < 20; ++round) {
      for (const auto& peer : all) peer->say(call(1, "short"));
      for (const auto& peer : all) peer->hear();
    }
    board.add("300-threads", static_cast<double>(served.threads()), {});
    board.add("300-memory", served.resident_megabytes(), {});
  }
  std::this_thread::sleep_for(std::chrono::seconds(amount.settle));
  board.add("300-threads-after", static_cast<double>(served.threads()), {});
  board.add("300-descriptors-after", static_cast<double>(served.descriptors() - before), {});
}

void one_after_the_other(Board& board, const Amount& amount) {
  const Served served;
  const auto connect = [&](int count) {
    for (int i = 0; i < count; ++i) Peer(served.path()).time(ping(1));
  };
  connect(amount.connections / 10);
  const double before = served.resident_megabytes();
  const std::ptrdiff_t descriptors = served.descriptors();
  connect(amount.connections - amount.connections / 10);
  board.add("connections-memory", served.resident_megabytes() - before, {{"before MB", before}});
  board.add("connections-descriptors", static_cast<double>(served.descriptors() - descriptors), {});
}

}  // namespace toolwire::bench
