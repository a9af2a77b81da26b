#include "activities/runtime/child.hpp"

#include <cstdint>
#include <fstream>
#include <utility>

#include <toolwire/system/ready_set.hpp>
#include "activities/runtime/wire.hpp"
#include "process/streams.hpp"

namespace toolwire::bridge::runtimes {
namespace {

ProcessStart with_input(ProcessStart start) {
  start.takes_input = true;
  return start;
}

}  // namespace

RuntimeChild::RuntimeChild(EventLoop& loop, ProcessStart start, ChildEvents events)
    : loop_(loop),
      program_(start.command.front()),
      events_(std::move(events)),
      errors_(0, events_.said),
      process_(spawn(with_input(std::move(start)))) {
  loop_.watch(process_.ended.get(), system::ready::to_read, [this](std::uint32_t) { ended(); });
  loop_.watch(process_.output.get(), system::ready::to_read, [this](std::uint32_t) { read_output(); });
  loop_.watch(process_.errors.get(), system::ready::to_read, [this](std::uint32_t) { read_errors(); });
}

RuntimeChild::~RuntimeChild() {
  if (!process_.ended.is_open()) return;
  for (system::FileDescriptor* descriptor : {&process_.input, &process_.output, &process_.errors}) close(*descriptor);
  loop_.unwatch(process_.ended.get());
  end_and_collect(process_);
}

void RuntimeChild::close(system::FileDescriptor& descriptor) {
  if (!descriptor.is_open()) return;
  loop_.unwatch(descriptor.get());
  descriptor.reset();
}

void RuntimeChild::send(std::string_view lines) {
  if (!process_.input.is_open()) return;
  unwritten_ += lines;
  if (!waits_to_write_) write();
}

void RuntimeChild::close_input() {
  closes_input_ = true;
  if (unwritten_.empty()) close(process_.input);
}

void RuntimeChild::write() {
  const std::ptrdiff_t count = write_available(process_.input.get(), unwritten_);
  if (count < 0) return close(process_.input);  // `gone` will report its end
  if (count > 0) unwritten_.erase(0, static_cast<std::size_t>(count));
  if (unwritten_.empty() && closes_input_) return close(process_.input);
  if (unwritten_.empty() == !waits_to_write_) return;
  waits_to_write_ = !unwritten_.empty();
  if (!waits_to_write_) return loop_.unwatch(process_.input.get());
  loop_.watch(process_.input.get(), system::ready::to_write, [this](std::uint32_t) { write(); });
}

void RuntimeChild::read_output() {
  const bool goes_on = read_available(process_.output.get(), [&](std::string_view bytes) {
    take_errors();  // so that what a tool wrote before its answer is taken before it
    take(bytes);
    return true;
  });
  if (goes_on) return;
  close(process_.output);
  go_on(process_);
}

void RuntimeChild::take(std::string_view bytes) {
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = bytes.find('\n', begin)) != std::string_view::npos; begin = end + 1) {
    const std::string_view piece = bytes.substr(begin, end - begin);
    if (line_.empty()) {
      events_.line(piece);
    } else {
      line_ += piece;
      events_.line(std::exchange(line_, {}));
    }
  }
  line_ += bytes.substr(begin);
  if (line_.size() <= max_line) return;
  line_.clear();
  events_.too_long();
}

void RuntimeChild::read_errors() {
  const bool goes_on = read_available(process_.errors.get(), [&](std::string_view bytes) {
    events_.wrote(bytes);
    errors_.add(bytes);
    return true;
  });
  if (!goes_on) close(process_.errors);
}

/// The program is the child of the keeper.
std::uint64_t RuntimeChild::memory() const {
  const std::string keeper = std::to_string(process_.process);
  std::string program;
  if (!(std::ifstream("/proc/" + keeper + "/task/" + keeper + "/children") >> program)) return 0;
  std::ifstream status("/proc/" + program + "/status");
  for (std::string name; status >> name; std::getline(status, name)) {
    std::uint64_t kilobytes = 0;
    if (name == "VmRSS:") return status >> kilobytes ? kilobytes << 10U : 0;
  }
  return 0;
}

void RuntimeChild::take_errors() {
  if (process_.errors.is_open()) read_errors();
}

void RuntimeChild::kill() {
  if (process_.ended.is_open()) end_now(process_);
}

void RuntimeChild::ended() {
  // Everything it started has ended too, so no process holds the streams: no more will come.
  if (process_.output.is_open()) read_output();
  take_errors();
  for (system::FileDescriptor* descriptor : {&process_.input, &process_.output, &process_.errors, &process_.ended})
    close(*descriptor);
  errors_.finish();
  const ExitStatus status = collect(process_.process);
  const auto failure = why_not_started(process_, program_);
  const auto gone = events_.gone;  // it may destroy this object
  gone(failure ? *failure : "it " + status.text());
}

}  // namespace toolwire::bridge::runtimes
