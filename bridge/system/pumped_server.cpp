#include "system/pumped_server.hpp"

#include <cerrno>
#include <exception>
#include <future>
#include <system_error>
#include <utility>

#include <toolwire/system/ready_set.hpp>

namespace toolwire::bridge {

PumpedServer::PumpedServer(Server& server, std::shared_ptr<Engine> engine) : loop_(std::move(engine)) {
  std::promise<void> begun;
  loop_.post([&] {
    try {
      begin(server);
      begun.set_value();
    } catch (...) {
      begun.set_exception(std::current_exception());
    }
  });
  begun.get_future().get();
}

/// On the loop, as a pump is for one thread at a time.
void PumpedServer::begin(Server& server) {
  pump_ = std::make_unique<Pump>(server);
  const int descriptor = pump_->descriptor();
  if (!loop_.watch(descriptor, system::ready::to_read, [this](std::uint32_t) { pump_->run_ready(); })) {
    const int error = errno;
    pump_.reset();
    throw std::system_error(error, std::generic_category(), "a server cannot be waited for");
  }
}

PumpedServer::~PumpedServer() {
  loop_.post([this] {
    if (pump_) loop_.unwatch(pump_->descriptor());
    pump_.reset();
  });
  loop_.stop();
}

}  // namespace toolwire::bridge
