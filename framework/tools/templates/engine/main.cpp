#include <chrono>
#include <thread>
#include <toolwire/transport.hpp>

#include "tools.hpp"

int main() {
  const auto streams = toolwire::standard_streams();  // before anything is printed
  World world;
  toolwire::Server server{{.name = "{{NAME}}", .version = "0.1.0"}};
  add_tools(server, world);
  toolwire::Pump pump(server, *streams);

  using namespace std::chrono_literals;
  constexpr auto frame = 16ms;
  for (auto next = std::chrono::steady_clock::now(); pump.run_ready(); std::this_thread::sleep_until(next)) {
    world.step(std::chrono::duration<double>(frame).count());
    next += frame;
  }
  return 0;
}
