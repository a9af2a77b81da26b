// One resources/read from its request to its answer: the function that reads, its deadline, questions in between.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "features/resource_registry.hpp"
#include "protocol/asking/asked_request.hpp"
#include "protocol/progress.hpp"

namespace toolwire::protocol {

/// Shared by the thread that reads, its ResourceReply, the deadline and open questions; lives until none of them is
/// left. The steps of one round happen one after the other.
class ResourceRead final : public AskedRequest, public std::enable_shared_from_this<ResourceRead> {
 public:
  /// Throws ProtocolError for an unusable or unknown URI, or a forged requestState.
  explicit ResourceRead(Exchange exchange);

  /// Reads with the answers there are. Throws ProtocolError.
  void run();
  void run_again(JsonObject more_answers) override;

  const Exchange& exchange() const override { return exchange_; }
  std::string subject() const override { return "resource " + request_.uri; }
  const Json& arguments() const override { return request_.parameters; }
  const JsonObject& answers() const override { return answers_; }
  void fail(const ProtocolError& error) override;
  void pause_deadline() override;

 private:
  struct Round;
  void invoke(const std::shared_ptr<Round>& round);
  void call_function(const std::shared_ptr<Round>& round);
  ProtocolError error_in_flight() const;
  void conclude(const std::shared_ptr<Round>& round, ResourceOutcome&& outcome);
  void answer(const ResourceResult& result);
  void start_deadline();
  void timed_out();

  Exchange exchange_;
  ResourceRequest request_;
  features::FoundResource found_;
  JsonObject answers_;
  std::shared_ptr<Progress> progress_;
  std::mutex deadline_mutex_;
  std::optional<runtime::Timers::Handle> deadline_;
  std::chrono::steady_clock::duration time_left_{};
};

}  // namespace toolwire::protocol
