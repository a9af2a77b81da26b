#include "process/running_process.hpp"

#include <utility>

#include <toolwire/system/ready_set.hpp>
#include "process/streams.hpp"

namespace toolwire::bridge {

RunningProcess::RunningProcess(EventLoop& loop, ProcessRequest request, Answer answer, Gone gone)
    : loop_(loop),
      request_(std::move(request)),
      answer_(std::move(answer)),
      gone_(std::move(gone)),
      errors_(request_.kept_errors, std::move(request_.on_error_line)) {
  request_.start.takes_input = request_.input.has_value();
  process_ = spawn(request_.start);
  watch_streams();
}

RunningProcess::~RunningProcess() {
  if (timer_) loop_.cancel(*timer_);
  if (!process_.ended.is_open()) return;
  for (system::FileDescriptor* descriptor : {&process_.input, &process_.output, &process_.errors}) close(*descriptor);
  loop_.unwatch(process_.ended.get());
  end_and_collect(process_);
}

void RunningProcess::watch_streams() {
  loop_.watch(process_.ended.get(), system::ready::to_read, [this](std::uint32_t) { ended(); });
  loop_.watch(process_.output.get(), system::ready::to_read, [this](std::uint32_t) { read_output(); });
  loop_.watch(process_.errors.get(), system::ready::to_read, [this](std::uint32_t) { read_errors(); });
  if (process_.input.is_open())
    loop_.watch(process_.input.get(), system::ready::to_write, [this](std::uint32_t) { write_input(); });
  if (request_.deadline)
    timer_ = loop_.at(*request_.deadline, [this] {
      timer_.reset();
      end("timeout", "timed out");
    });
}

void RunningProcess::close(system::FileDescriptor& descriptor) {
  if (!descriptor.is_open()) return;
  loop_.unwatch(descriptor.get());
  descriptor.reset();
}

void RunningProcess::write_input() {
  const std::string_view left = std::string_view(*request_.input).substr(written_);
  const std::ptrdiff_t count = write_available(process_.input.get(), left);
  if (count > 0) written_ += static_cast<std::size_t>(count);
  if (count < 0 || written_ == request_.input->size()) close(process_.input);  // or it no longer reads
}

void RunningProcess::read_output() {
  bool is_too_large = false;
  const bool goes_on = read_available(process_.output.get(), [&](std::string_view bytes) {
    if (!answer_) return true;  // read on, so that a program that is ending does not fail on a full pipe
    is_too_large = bytes.size() > request_.output_limit - output_.size();
    if (!is_too_large) output_ += bytes;
    return !is_too_large;
  });
  if (is_too_large) {
    end("too_large", "wrote more than the limit of " + std::to_string(request_.output_limit) + " bytes");
  } else if (!goes_on) {
    close(process_.output);
    go_on(process_);
  }
}

void RunningProcess::read_errors() {
  const bool goes_on = read_available(process_.errors.get(), [&](std::string_view bytes) {
    add_errors(bytes);
    return true;
  });
  if (!goes_on) close(process_.errors);
}

void RunningProcess::add_errors(std::string_view bytes) {
  if (answer_) errors_.add(bytes);
}

void RunningProcess::answer(ProcessEnd end) {
  if (!answer_) return;
  errors_.finish();
  const Answer once = std::exchange(answer_, nullptr);
  end.output = std::move(output_);
  end.errors = errors_.tail();
  once(std::move(end));
}

void RunningProcess::end(const char* code, std::string text) {
  if (!answer_) return;
  if (timer_) loop_.cancel(*timer_);
  close(process_.input);
  ask_to_end(process_);
  timer_ = loop_.at(EventLoop::Clock::now() + request_.grace, [this] {
    kill();
    timer_ = loop_.at(EventLoop::Clock::now() + keeper_patience, [this] {
      timer_.reset();
      if (process_.ended.is_open()) kill_keeper(process_);
    });
  });
  answer({.code = code, .text = std::move(text)});
}

void RunningProcess::kill() {
  if (process_.ended.is_open()) end_now(process_);
}

void RunningProcess::ended() {
  // Everything it started has ended too, so no process holds the streams: no more will come.
  if (process_.output.is_open()) read_output();
  if (process_.errors.is_open()) read_errors();
  for (system::FileDescriptor* descriptor : {&process_.input, &process_.output, &process_.errors, &process_.ended})
    close(*descriptor);
  const ExitStatus status = collect(process_.process);
  if (const auto failure = why_not_started(process_, request_.start.command.front())) {
    answer({.code = "unavailable", .text = *failure, .status = status});
  } else {
    answer({.status = status});
  }
  const Gone gone = std::exchange(gone_, nullptr);
  gone();
}

}  // namespace toolwire::bridge
