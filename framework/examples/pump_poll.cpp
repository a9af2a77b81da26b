// A server in a loop of poll(2) that has more to do: tools run on its thread, so they share what it has without a lock.
#include <poll.h>

#include <chrono>
#include <thread>
#include <toolwire/server.hpp>
#include <toolwire/transport.hpp>

using namespace toolwire;

int main() {
  const auto streams = standard_streams();  // before anything is printed
  const auto loop_thread = std::this_thread::get_id();
  int ticks = 0;

  Server server({.name = "poll", .version = "1.0.0"});
  server.tool("ticks", "Tell how often the loop has ticked", [&] { return ticks; });
  server.tool("is_on_loop", "Tell on which thread tools run",
              [&] { return std::this_thread::get_id() == loop_thread; });

  Pump pump(server, *streams);
  while (true) {
    pollfd ready[] = {{pump.descriptor(), POLLIN, 0}};
    poll(ready, 1, 10);                                        // others of the program stand beside it
    if (ready[0].revents != 0 && !pump.run_ready()) return 0;  // the client has left
    ++ticks;
  }
}
