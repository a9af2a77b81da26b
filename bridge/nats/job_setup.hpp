// Makes the streams of a nats-server in which calls wait, and what workers take them out by. Independent of calls.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <toolwire/json.hpp>
#include <toolwire/nats.hpp>

#include "job_records.hpp"

namespace toolwire::nats {

/// How often a call that waits is handed to a worker that does not begin it, or in whose hands it dies.
inline constexpr int max_deliveries = 10;

/// On the client's loop only, where it calls back. Lives in a shared_ptr.
class JobSetup final : public std::enable_shared_from_this<JobSetup> {
 public:
  JobSetup(std::shared_ptr<JobRecords> records, const std::string& prefix, const JetStreamOptions& options,
           const std::vector<std::string>& workers);

  /// Whether all is there now. `problem`: why it is not; empty if nobody knows, because the connection has broken.
  using Done = std::function<void(bool is_there, const std::string& problem)>;
  void run(const Done& done);

 private:
  struct Step {
    std::string call;
    JsonObject question;
    std::string stream = {};  // that it makes
  };

  void go_on(std::size_t step, const Done& done);
  void compare(const Step& step, const Done& done);
  std::string problem_in(const JetStream::Answer& answer, const Step& step) const;

  const std::shared_ptr<JobRecords> records_;
  std::vector<Step> steps_;
};

/// What is said of a server that has none.
std::string no_jetstream_text();

}  // namespace toolwire::nats
