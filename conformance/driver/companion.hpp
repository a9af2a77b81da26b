// A server over HTTP that the suite starts itself: it runs beside the sessions until the end of the run.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "driver/http_server.hpp"
#include "driver/server_process.hpp"

namespace toolwire::conformance {

/// One thread, which reads what the program writes. Its destruction ends the program and its descendants.
class Companion {
 public:
  /// Starts it. Throws std::system_error if it cannot be started.
  explicit Companion(const Launch& launch);
  Companion(const Companion&) = delete;
  Companion& operator=(const Companion&) = delete;
  ~Companion();

  /// Waits until something accepts connections at the server's address, or the run is to end. Throws
  /// std::runtime_error, with the last that the program wrote to standard error, if it ended or the time is over
  /// before.
  void wait_until_it_answers(HttpServer& server, std::chrono::milliseconds time);

 private:
  std::string last_errors();

  Mutex mutex_;
  std::unique_ptr<ServerProcess> process_ TOOLWIRE_GUARDED_BY(mutex_);
  std::jthread reader_;
};

}  // namespace toolwire::conformance
