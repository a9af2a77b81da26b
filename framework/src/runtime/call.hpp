// One request on its way to its answer: it can be cancelled, and answered at most once. Knows nothing of methods or
// results.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "jsonrpc/message.hpp"

namespace toolwire::runtime {

class InFlight;
class Output;

class AnswerSink;

/// Thread-safe; shared by whoever runs the call, the table of calls in flight, and timers. Exactly one of `answer` and
/// `cancel` takes effect, whichever comes first; destroyed without either, the client gets an internal error.
class Call {
 public:
  /// The answer goes to `sink`, or to `output` if there is none.
  Call(jsonrpc::Id id, InFlight& table, Output& output, std::shared_ptr<AnswerSink> sink);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  const jsonrpc::Id& id() const { return id_; }
  std::stop_token stop_token() const { return stop_.get_token(); }
  bool is_over() const { return over_.load(std::memory_order_acquire); }

  /// Answers with {"result": …}; `write` appends the result's JSON text to a string, and answers no other call
  /// meanwhile. Does nothing if the call is over.
  template <class Write>
  bool answer(Write&& write) {
    if (!claim()) return false;
    thread_local std::string line;  // used again by the next answer, unless it is so large that it is given away
    open(line, "result");
    try {
      write(line);
    } catch (const std::exception& error) {
      unwritable(line, error.what());
    }
    close(line);
    return true;
  }

  /// Answers with an error object; `data_text` is JSON text, empty for none.
  bool fail(int code, std::string_view message, std::string_view data_text = {});

  /// Ends the call without an answer (specification: basic/patterns/cancellation) and tells its tool to stop.
  bool cancel();
  /// Tells the tool to stop; the call can still be answered.
  void request_stop() { stop_.request_stop(); }

  /// Runs `send`, which appends notifications that belong to this call, only while the call is not over; nothing can be
  /// answered or cancelled meanwhile, so no such notification follows the answer.
  template <class Send>
  bool while_open(Send&& send) {
    std::lock_guard lock(order_);
    if (is_over()) return false;
    send();
    return true;
  }

 private:
  bool claim();
  void open(std::string& line, std::string_view member) const;
  void unwritable(std::string& line, std::string_view why) const;
  void close(std::string& line);

  const jsonrpc::Id id_;
  InFlight& table_;
  Output& output_;
  std::shared_ptr<AnswerSink> sink_;
  std::stop_source stop_;
  std::mutex order_;
  std::atomic<bool> over_{false};
  std::atomic<bool> counted_{false};  // in the table's count of unanswered calls
  friend class InFlight;
};

}  // namespace toolwire::runtime
