// Where the answer of a call goes when it does not go straight into the output. Independent of what
// it says.
#pragma once

#include <string_view>

namespace toolwire::runtime {

/// Thread-safe. Hears of its call once, through one of the two; no lock of the call is held then.
class AnswerSink {
 public:
  AnswerSink() = default;
  virtual ~AnswerSink() = default;
  AnswerSink(const AnswerSink&) = delete;
  AnswerSink& operator=(const AnswerSink&) = delete;

  /// The answer: a whole message, result or error.
  virtual void add(std::string_view answer) = 0;
  /// The call was cancelled: there will be no answer.
  virtual void leave_out() = 0;
};

}  // namespace toolwire::runtime
