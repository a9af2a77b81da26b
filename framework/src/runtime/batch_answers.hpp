// The answers to a batch, and the text of an error object.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

#include "runtime/answer_sink.hpp"

namespace toolwire::runtime {

class Output;

/// Appends {"code":…,"message":…,"data":…}; `data_text` is JSON text, empty for none (JSON-RPC 2.0 §5.1).
void append_error(std::string& out, int code, std::string_view message, std::string_view data_text);

/// Thread-safe. Sends one array when every expected answer was added or left out; nothing at all if none was added.
class BatchAnswers final : public AnswerSink {
 public:
  BatchAnswers(Output& output, std::size_t expected) : output_(output), missing_(expected) {}
  void add(std::string_view answer) override;
  void leave_out() override;

 private:
  void count_down();
  Output& output_;
  std::mutex mutex_;
  std::size_t missing_;
  std::string array_;
};

}  // namespace toolwire::runtime
