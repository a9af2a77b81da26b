#include "runtime/call.hpp"

#include "json/writer.hpp"
#include "log/log.hpp"
#include "runtime/batch_answers.hpp"
#include "runtime/in_flight.hpp"
#include "runtime/output.hpp"
#include "toolwire/error.hpp"

namespace toolwire::runtime {

Call::Call(jsonrpc::Id id, InFlight& table, Output& output, std::shared_ptr<AnswerSink> sink)
    : id_(std::move(id)), table_(table), output_(output), sink_(std::move(sink)) {}

Call::~Call() {
  if (!is_over()) {
    process::log("a request was dropped without an answer; its client gets an internal error");
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
/// answered.
void Call::unwritable(std::string& line, std::string_view why) const {
  line = std::string();  // what was written so far may be what the memory is missing for
  process::log("a result could not be written: " + std::string(why));
  open(line, error_member);
  append_error(line, error_code::internal_error, "Internal error: the result could not be written as JSON", {});
}

void Call::close(std::string& line) {
  line.push_back('}');
  table_.remove(*this);
  if (sink_) {
    sink_->add(line);
  } else {
    output_.append(std::move(line));
  }
  table_.settle(*this);  // last: at the end of the session the output must not go while an answer is on its way to it
}

bool Call::fail(int code, std::string_view message, std::string_view data_text) {
  if (!claim()) return false;
  std::string line;
  open(line, error_member);
  append_error(line, code, message, data_text);
  close(line);
  return true;
}

bool Call::cancel() {
  if (!claim()) return false;
  table_.remove(*this);
  if (sink_) sink_->leave_out();
  table_.settle(*this);
  request_stop();
  return true;
}

}  // namespace toolwire::runtime
