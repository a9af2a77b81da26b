// The answers to a batch, and the text of an error object.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "runtime/answer_sink.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire::engine {
class SendQueue;
}

namespace toolwire::runtime {

/// Appends {"code":…,"message":…,"data":…}; `data_text` is JSON text, empty for none (JSON-RPC 2.0 §5.1).
void append_error(std::string& out, int code, std::string_view message, std::string_view data_text);

/// Thread-safe. Sends one array when every expected answer was added or left out; nothing at all if none was added.
class BatchAnswers final : public AnswerSink {
 public:
  BatchAnswers(engine::SendQueue& output, std::size_t expected) : output_(output), missing_(expected) {}
  void add(std::string_view answer) override;
  void leave_out() override;

 private:
  void count_down() TOOLWIRE_REQUIRES(mutex_);
  engine::SendQueue& output_;
  Mutex mutex_;
  std::size_t missing_ TOOLWIRE_GUARDED_BY(mutex_);
  std::string array_ TOOLWIRE_GUARDED_BY(mutex_);
};

}  // namespace toolwire::runtime
