// One request on its way to its answer: it can be cancelled, and answered at most once. Independent of methods and
// results.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "jsonrpc/message.hpp"
#include "system/thread_end.hpp"
#include "toolwire/detail/mutex.hpp"
#include "toolwire/detail/stop_signal.hpp"
#include "toolwire/detail/tracer.hpp"

namespace toolwire::engine {
class SendQueue;
}

namespace toolwire::runtime {

class InFlight;

class AnswerSink;

/// Thread-safe; shared by the thread that runs the call, the table of calls in flight, and timers. Exactly one of
/// `answer` and `cancel` takes effect, whichever comes first; destroyed without either, the client gets an internal
/// error.
class Call final : public detail::StopSignal {
 public:
  /// The answer goes to `sink`, or to `output` if there is none.
  Call(jsonrpc::Id id, InFlight& table, engine::SendQueue& output, std::shared_ptr<AnswerSink> sink);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  const jsonrpc::Id& id() const { return id_; }
  std::stop_token stop_token() const override;
  bool stop_requested() const noexcept override { return stop_requested_.load(std::memory_order_acquire); }
  bool is_over() const { return over_.load(std::memory_order_acquire); }

  /// Who is told of its end. Before anything that may end it.
  void follow_with(std::unique_ptr<RequestSpan> span) { span_ = std::move(span); }

  /// Answers with {"result": …}; `write` appends the result's JSON text to a string, and answers no other call
  /// meanwhile. Does nothing if the call is over. `end`: what the span is told.
  template <class Write>
  bool answer(Write&& write, const RequestEnd& end = {}) {
    if (!claim()) return false;
    // Used again by the next answer, unless it is so large that it is given away.
    std::string& line = system::OfThread<std::string, Call>::get();
    try {
      open(line, result_member);
      write(line);
      line.push_back('}');
    } catch (const std::exception& error) {
      unwritable(line, error.what());
    }
    close(line, end);
    if (line.capacity() > max_kept) line = std::string();
    return true;
  }

  /// Answers with an error object; `data_text` is JSON text, empty for none.
  bool fail(int code, std::string_view message, std::string_view data_text = {});

  /// Ends the call without an answer (specification: basic/patterns/cancellation) and tells its tool to stop.
  bool cancel();
  /// Tells the tool to stop; the call can still be answered.
  void request_stop();

  /// Runs `send`, which appends notifications that belong to this call, only while the call is not over; nothing can be
  /// answered or cancelled meanwhile, so no such notification follows the answer.
  template <class Send>
  bool while_open(Send&& send) {
    const Sending sending(*this);
    if (over_.load()) return false;
    send();
    return true;
  }

 private:
  /// While one exists no thread gets past `claim`, unless it already has.
  class Sending {
   public:
    explicit Sending(Call& call) : call_(call) {
      call_.senders_.fetch_add(1);  // sequentially consistent, as in claim: one of both sees what the other has done
      call_.order_.lock();
    }
    Sending(const Sending&) = delete;
    Sending& operator=(const Sending&) = delete;
    ~Sending() {
      call_.order_.unlock();
      call_.senders_.fetch_sub(1);
    }

   private:
    Call& call_;
  };

  static constexpr std::size_t max_kept = std::size_t{64} << 10;  // bytes of memory for the next answer

  bool claim();
  static constexpr std::string_view result_member = R"(,"result":)";
  static constexpr std::string_view error_member = R"(,"error":)";
  void open(std::string& line, std::string_view member) const;
  void unwritable(std::string& line, std::string_view why) const noexcept;
  void write_error(std::string& line, int code, std::string_view message, std::string_view data_text) const;
  void hand_over(std::string& line);
  void close(std::string& line, const RequestEnd& end) noexcept;

  const jsonrpc::Id id_;
  InFlight& table_;
  engine::SendQueue& output_;
  std::shared_ptr<AnswerSink> sink_;
  std::unique_ptr<RequestSpan> span_;  // whoever ends the call tells it
  mutable Mutex order_;
  mutable std::stop_source stop_ TOOLWIRE_GUARDED_BY(order_){std::nostopstate};
  std::atomic<bool> stop_requested_{false};
  std::atomic<bool> over_{false};
  std::atomic<unsigned> senders_{0};
  std::atomic<bool> counted_{false};  // in the table's count of unanswered calls
  bool listed_ = false;               // in the table itself, from which claiming the call removes it
  friend class InFlight;
};

}  // namespace toolwire::runtime
