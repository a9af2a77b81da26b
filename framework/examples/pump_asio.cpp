// A server in an io_context of Boost.Asio: tools run on its thread, so they share what it has without a lock.
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <thread>
#include <toolwire/server.hpp>
#include <toolwire/transport.hpp>

using namespace toolwire;

int main() {
  const auto streams = standard_streams();  // before anything is printed
  const auto loop_thread = std::this_thread::get_id();
  int ticks = 0;
  boost::asio::io_context loop;
  boost::asio::steady_timer timer(loop);
  const std::function<void()> tick = [&] {
    timer.expires_after(std::chrono::milliseconds(10));
    timer.async_wait([&](boost::system::error_code) { ++ticks, tick(); });
  };

  Server server({.name = "asio", .version = "1.0.0"});
  server.tool("ticks", "Tell how often the loop has ticked", [&] { return ticks; });
  server.tool("is_on_loop", "Tell on which thread tools run",
              [&] { return std::this_thread::get_id() == loop_thread; });

  Pump pump(server, *streams);
  boost::asio::posix::stream_descriptor watched(loop, pump.descriptor());
  const std::function<void()> watch = [&] {
    watched.async_wait(watched.wait_read, [&](boost::system::error_code) {
      return pump.run_ready() ? watch() : loop.stop();  // or the client has left
    });
  };
  tick();
  watch();
  loop.run();
  watched.release();  // which is the pump's
}
