// Both sides of calls as transports, and what is public of them.
#include <string_view>
#include <utility>

#include <toolwire/nats.hpp>
#include <toolwire/system/watchable.hpp>

#include "worker_calls.hpp"
#include "worker_service.hpp"

namespace toolwire::nats {
namespace {

/// One side, which takes lines and has lines to be read.
template <class Side>
class LineTransport : public Transport, public system::Watchable {
 public:
  LineTransport(std::shared_ptr<Client> client, std::shared_ptr<Side> side)
      : client_(std::move(client)), side_(std::move(side)) {}
  ~LineTransport() override { side_->end("the connection was ended"); }

  std::ptrdiff_t read(char* into, std::size_t room) override { return side_->lines().read(into, room); }

  /// With Blocking::yes too much is taken rather than waited for.
  std::ptrdiff_t write(const char* bytes, std::size_t count, Blocking blocking) override {
    if (side_->lines().is_ended()) return peer_gone;
    if (blocking == Blocking::no && side_->is_full()) return 0;
    std::string_view left(bytes, count);
    for (std::size_t end = left.find('\n'); end != std::string_view::npos; end = left.find('\n')) {
      line_.append(left.substr(0, end));
      left.remove_prefix(end + 1);
      side_->send(std::exchange(line_, {}));
    }
    line_.append(left);
    return static_cast<std::ptrdiff_t>(count);
  }

  void interrupt() override { side_->lines().interrupt(); }
  bool input_closed() override { return side_->lines().is_ended(); }
  std::string end_reason() override { return side_->lines().reason(); }
  int input_event() override { return side_->lines().event(); }
  std::ptrdiff_t try_read(char* into, std::size_t room) override { return side_->lines().try_read(into, room); }
  int output_event() override { return -1; }

 private:
  const std::shared_ptr<Client> client_;  // outlives what is on its loop
  const std::shared_ptr<Side> side_;
  std::string line_;  // what was written of it
};

}  // namespace

WorkerConnection connect_worker(const std::shared_ptr<Client>& client, const std::string& worker,
                                const std::shared_ptr<TaskJobs>& jobs) {
  const auto calls = std::make_shared<WorkerCalls>(*client, worker, jobs);
  calls->begin();
  return {.transport = std::make_unique<LineTransport<WorkerCalls>>(client, calls),
          .end = [calls](const std::string& reason) { calls->lines().end(reason); }};
}

Worker::Worker(const std::shared_ptr<Client>& client, WorkerOptions options)
    : service_(std::make_shared<WorkerService>(*client, std::move(options))),
      transport_(std::make_unique<LineTransport<WorkerService>>(client, service_)) {
  service_->begin();
}

Worker::~Worker() = default;

bool Worker::can_take_tasks(std::chrono::milliseconds patience) {
  return service_->jobs() != nullptr && service_->jobs()->wait_until_known(patience);
}

void Worker::drain(std::chrono::milliseconds patience) {
  service_->drain(patience);
  service_->lines().end("the worker ends");
}

}  // namespace toolwire::nats
