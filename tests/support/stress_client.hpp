// A client that sends random requests and records what it sent and what came back. For tests that look for races.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "narrow_transport.hpp"
#include "stress_rounds.hpp"
#include "stress_tools.hpp"
#include "toolwire/json.hpp"

namespace toolwire_test {

/// Thread-safe. Every request by id, and how often it was answered.
class Ledger {
 public:
  void asked(std::uint64_t id) { change(id, &Entry::asked); }
  void cancelled(std::uint64_t id) { change(id, &Entry::cancelled); }

  /// A complete line of the server: a message, or a batch of answers.
  void came(const std::string& line) {
    const toolwire::Json json = toolwire::parse_json(line);
    if (json.is_object()) return message(json);
    for (const toolwire::Json& member : json.as_array()) message(member);
  }

  /// Waits until everything that was not cancelled is answered.
  void wait_for_answers() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] {
      for (const auto& [id, entry] : entries_) {
        if (entry.answers == 0 && !entry.cancelled) return false;
      }
      return true;
    });
  }

  /// Everything that is wrong. `complete`: nothing may be missing that was not cancelled.
  std::vector<std::string> complaints(const Witness& witness, bool complete) const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> all = complaints_;
    const auto complain = [&](bool wrong, std::uint64_t id, const char* what) {
      if (wrong) all.push_back(std::to_string(id) + what);
    };
    for (const auto& [id, entry] : entries_) {
      complain(!entry.asked, id, " was not asked");
      complain(entry.answers > 1, id, " is answered more than once");
      complain(complete && !entry.cancelled && entry.answers == 0, id, " is not answered");
      complain(witness.was_stopped(id) && entry.answers > 0, id, " was stopped, then answered");
    }
    return all;
  }
  /// Errors that name no request.
  unsigned unaddressed() const {
    const std::lock_guard lock(mutex_);
    return unaddressed_;
  }

 private:
  struct Entry {
    bool asked = false;
    bool cancelled = false;
    unsigned answers = 0;
  };

  void change(std::uint64_t id, bool Entry::*what) {
    const std::lock_guard lock(mutex_);
    entries_[id].*what = true;
  }

  void message(const toolwire::Json& json) {
    const std::lock_guard lock(mutex_);
    if (json.as_object().contains("method")) {
      const auto id = json.at("params").at("progressToken").to_number<std::uint64_t>();
      if (entries_[id].answers > 0) complaints_.push_back("progress of " + std::to_string(id) + " after its answer");
    } else if (json.as_object().contains("id")) {
      const auto id = json.at("id").to_number<std::uint64_t>();
      ++entries_[id].answers;
      if (!fits(id, json)) complaints_.push_back(std::to_string(id) + " has the answer of another");
    } else {
      ++unaddressed_;
    }
    changed_.notify_all();
  }

  static bool fits(std::uint64_t id, const toolwire::Json& json) {
    const toolwire::Json* result = json.as_object().if_contains("result");
    if (result == nullptr || !result->as_object().contains("content") || result->as_object().contains("isError"))
      return true;
    const std::string text(result->at("content").at(0).at("text").as_string());
    return text.substr(0, text.find(':')) == std::to_string(id);
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint64_t, Entry> entries_;
  std::vector<std::string> complaints_;
  unsigned unaddressed_ = 0;
};

/// One thread. Sends to the server's end of a transport; half a message may have been sent at any time.
class StressClient {
 public:
  StressClient(NarrowTransport& transport, Ledger& ledger, Chance chance, bool batches)
      : transport_(transport), ledger_(ledger), chance_(chance), batches_(batches) {
    ledger_.asked(0);
    line(std::string(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")") +
         (batches ? "2025-03-26" : "2025-11-25") +
         R"(","capabilities":{},"clientInfo":{"name":"stress","version":"0"}}})");
    line(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  }

  /// A request, a flood of them, or a cancellation.
  void act() {
    const std::uint64_t what = chance_.up_to(19);
    if (what == 0) return flood();
    if (what == 1 && batches_) return batch();
    if (what == 2) transport_.interrupt();  // a spurious interrupt
    if (what <= 5) return cancel_one();
    line(request());
  }

  /// No call is left that would never return.
  void let_all_go() {
    while (!held_.empty()) {
      cancel(held_.back());
      held_.pop_back();
    }
  }

  void half_a_message() { transport_.send(R"({"jsonrpc":"2.0","meth)"); }

 private:
  std::string request() {
    static constexpr const char* tools[] = {"work", "work", "work", "later", "later", "dropped", "failing", "report"};
    const std::uint64_t id = ++last_;
    ledger_.asked(id);
    if (chance_.one_in(6)) return message(id, R"("method":"ping")");
    if (chance_.one_in(12)) {
      held_.push_back(id);
      return call(id, "hold", 0);
    }
    return call(id, tools[chance_.up_to(7)], chance_.micros());
  }

  std::string call(std::uint64_t id, const std::string& tool, std::uint64_t micros) {
    const std::uint64_t bytes = chance_.one_in(10) ? chance_.up_to(6000) : chance_.up_to(50);
    return message(id, R"("method":"tools/call","params":{"name":")" + tool + R"(","arguments":{"id":)" +
                           std::to_string(id) + R"(,"micros":)" + std::to_string(micros) + R"(,"bytes":)" +
                           std::to_string(bytes) + R"(},"_meta":{"progressToken":)" + std::to_string(id) + "}}");
  }

  static std::string message(std::uint64_t id, const std::string& rest) {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + "," + rest + "}";
  }

  void flood() {
    std::string lines;
    for (std::uint64_t left = chance_.up_to(60); left > 0; --left) lines += request() + "\n";
    bytes(lines);
  }

  void batch() {
    std::string array = "[" + request();
    for (std::uint64_t left = chance_.up_to(8); left > 0; --left) array += "," + request();
    line(array + "]");
  }

  void cancel_one() {
    if (!held_.empty() && chance_.one_in(2)) {
      cancel(held_.front());
      held_.erase(held_.begin());
    } else {
      cancel(last_ - std::min(last_, chance_.up_to(20)));
    }
  }

  void cancel(std::uint64_t id) {
    if (id == 0) return;  // initialize cannot be cancelled
    ledger_.cancelled(id);
    line(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + std::to_string(id) + "}}");
  }

  void line(const std::string& text) { bytes(text + "\n"); }

  void bytes(std::string_view text) {
    while (!text.empty()) {
      const std::string_view piece = text.substr(0, 1 + chance_.up_to(chance_.one_in(4) ? 40 : 4000));
      if (!transport_.send(piece)) return;
      text.remove_prefix(piece.size());
    }
  }

  NarrowTransport& transport_;
  Ledger& ledger_;
  Chance chance_;
  const bool batches_;
  std::uint64_t last_ = 0;
  std::vector<std::uint64_t> held_;
};

}  // namespace toolwire_test
