#include "system/server_thread.hpp"

#include <sys/epoll.h>

#include <cerrno>
#include <exception>
#include <future>
#include <system_error>

#include <toolwire/system/signals_blocked.hpp>

namespace toolwire::bridge {

ServerThread::ServerThread(Server& server) {
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

/// On the thread of the loop, as a pump is for one thread.
void ServerThread::begin(Server& server) {
  pump_ = std::make_unique<Pump>(server);
  const int descriptor = pump_->descriptor();
  if (!loop_.watch(descriptor, EPOLLIN, [this](std::uint32_t) { pump_->run_ready(); })) {
    const int error = errno;
    pump_.reset();
    throw std::system_error(error, std::generic_category(), "a server cannot be waited for");
  }
}

ServerThread::~ServerThread() {
  loop_.post([this] {
    if (pump_) loop_.unwatch(pump_->descriptor());
    pump_.reset();
  });
  loop_.stop();
}

}  // namespace toolwire::bridge
