#include "runtime/call.hpp"

#include <new>

#include "engine/send_queue.hpp"
#include "json/writer.hpp"
#include "log/log.hpp"
#include "runtime/batch_answers.hpp"
#include "runtime/in_flight.hpp"
#include "toolwire/error.hpp"

namespace toolwire::runtime {

Call::Call(jsonrpc::Id id, InFlight& table, engine::SendQueue& output, std::shared_ptr<AnswerSink> sink)
    : id_(std::move(id)), table_(table), output_(output), sink_(std::move(sink)) {}

Call::~Call() {
  if (!is_over()) {
    process::log(LogLevel::error, "a request was dropped without an answer; its client gets an internal error");
    fail(error_code::internal_error, "Internal error: the request was dropped without an answer");
  }
  table_.remove(*this);  // there may have been no memory for its answer
}

bool Call::claim() {
  if (over_.exchange(true)) return false;
  if (senders_.load() > 0) {
    const MutexLock wait(order_);  // for one that has not seen it; the next one will
  }
  return true;
}

std::stop_token Call::stop_token() const {
  const MutexLock lock(order_);
  if (!stop_.stop_possible()) {
    stop_ = std::stop_source();
    if (stop_requested()) stop_.request_stop();  // nothing is registered on it yet, so nothing runs
  }
  return stop_.get_token();
}

void Call::request_stop() {
  stop_requested_.store(true, std::memory_order_release);
  MutexLock lock(order_);
  std::stop_source stop = stop_;
  lock.unlock();  // the registered functions may use the call
  stop.request_stop();
}

void Call::open(std::string& line, std::string_view member) const {
  line.assign(R"({"jsonrpc":"2.0","id":)").append(id_.text).append(member);
}

/// What a result that cannot be written (out of memory, a NaN) becomes instead: the call is claimed and must be
/// answered. Empty if there is no memory for this either.
void Call::unwritable(std::string& line, std::string_view why) const noexcept {
  line = std::string();  // what was written so far may be what the memory is missing for
  try {
    process::log(LogLevel::error, "a result could not be written: " + std::string(why));
    write_error(line, error_code::internal_error, "Internal error: the result could not be written as JSON", {});
  } catch (const std::bad_alloc&) {
    line = std::string();
    process::log(LogLevel::error, "there is no memory for an answer: a request stays without one");
  }
}

void Call::write_error(std::string& line, int code, std::string_view message, std::string_view data_text) const {
  open(line, error_member);
  append_error(line, code, message, data_text);
  line.push_back('}');
}

void Call::hand_over(std::string& line) {
  if (!sink_) return output_.append(std::move(line));
  line.empty() ? sink_->leave_out() : sink_->add(line);
}

void Call::close(std::string& line, const RequestEnd& end) noexcept {
  table_.remove(*this);
  if (span_) span_->end(end);
  try {
    hand_over(line);
  } catch (const std::bad_alloc&) {
    unwritable(line, "there is not enough memory to send it");
    try {
      hand_over(line);
    } catch (const std::bad_alloc&) {
      process::log(LogLevel::error, "there is no memory for an answer: a request stays without one");
    }
  }
  table_.settle(*this);  // last: at the end of the session the output must not go while an answer is on its way to it
}

bool Call::fail(int code, std::string_view message, std::string_view data_text) {
  if (!claim()) return false;
  std::string line;
  try {
    write_error(line, code, message, data_text);
  } catch (const std::bad_alloc&) {
    unwritable(line, "there is not enough memory for its error");
  }
  close(line, {.how = RequestEnd::How::failed, .error = code});
  return true;
}

bool Call::cancel() {
  if (!claim()) return false;
  table_.remove(*this);
  if (span_) span_->end({.how = RequestEnd::How::cancelled});
  if (sink_) sink_->leave_out();
  table_.settle(*this);
  request_stop();
  return true;
}

}  // namespace toolwire::runtime
