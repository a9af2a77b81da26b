#include "driver/companion.hpp"

#include <stdexcept>

#include "driver/interruption.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t shown_errors = 2000;

}  // namespace

Companion::Companion(const Launch& launch)
    : process_(std::make_unique<ServerProcess>(launch, [](std::string_view, bool) {})),
      reader_([this](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
          {
            const MutexLock lock(mutex_);
            try {
              process_->listen(10ms);
            } catch (const RunEnded&) {  // it is still needed for a moment
            }
          }
          std::this_thread::sleep_for(10ms);
        }
      }) {}

Companion::~Companion() {
  reader_.request_stop();
  reader_.join();
  const MutexLock lock(mutex_);
  process_->signal(Signal::terminate);
  try {
    process_->wait_for_end(2s);
  } catch (const RunEnded&) {  // it is killed
  }
}

std::string Companion::last_errors() {
  const MutexLock lock(mutex_);
  const std::string& all = process_->errors();
  if (all.empty()) return "; it wrote nothing to standard error";
  return "; the last it wrote to standard error: " +
         (all.size() <= shown_errors ? all : "…" + all.substr(all.size() - shown_errors));
}

void Companion::wait_until_it_answers(HttpServer& server, std::chrono::milliseconds time) {
  const auto until = Clock::now() + time;
  while (Clock::now() < until) {
    if (server.find() || run_end() != RunEnd::none) return;
    std::this_thread::sleep_for(20ms);
    std::string ending;
    {
      const MutexLock lock(mutex_);
      if (process_->ending().exited) ending = process_->ending().text();
    }
    if (!ending.empty())
      throw std::runtime_error("the server " + ending + " before anything answered at " + server.text() +
                               last_errors());
  }
  throw std::runtime_error("nothing answers at " + server.text() + " in time" + last_errors());
}

}  // namespace toolwire::conformance
