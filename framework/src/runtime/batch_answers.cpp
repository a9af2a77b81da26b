#include "runtime/batch_answers.hpp"

#include "engine/send_queue.hpp"
#include "json/writer.hpp"

namespace toolwire::runtime {

void append_error(std::string& out, int code, std::string_view message, std::string_view data_text) {
  out.append("{\"code\":");
  json::write_integer(out, static_cast<std::int64_t>(code));
  out.append(",\"message\":");
  json::write_string(out, message);
  if (!data_text.empty()) out.append(",\"data\":").append(data_text);
  out.push_back('}');
}

void BatchAnswers::add(std::string_view answer) {
  const MutexLock lock(mutex_);
  array_.append(array_.empty() ? "[" : ",").append(answer);
  count_down();
}

void BatchAnswers::leave_out() {
  const MutexLock lock(mutex_);
  count_down();
}

void BatchAnswers::count_down() {
  if (--missing_ > 0 || array_.empty()) return;
  array_.push_back(']');
  output_.append(std::move(array_));
}

}  // namespace toolwire::runtime
