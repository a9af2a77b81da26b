// A game engine with tools: they run on its main thread, between two frames, so the world needs no lock. A frame that
// has no time for them takes at most four. What lasts several frames is answered when it is done.
#include <chrono>
#include <cmath>
#include <list>
#include <map>
#include <string>
#include <thread>
#include <toolwire/server.hpp>
#include <toolwire/transport.hpp>

using namespace toolwire;
using namespace std::chrono_literals;

struct Place {
  double x = 0, y = 0;
  static constexpr auto describe() { return fields(field<&Place::x>("To the right"), field<&Place::y>("Up")); }
};

/// Known to one thread.
class World {
 public:
  void put(const std::string& name, Place where) { units_[name] = {where, where}; }
  void send(const std::string& name, Place target) { at(name).target = target; }
  Place place(const std::string& name) { return at(name).place; }
  bool has_arrived(const std::string& name) { return distance(at(name)) == 0; }

  void step(double seconds) {
    for (auto& [name, unit] : units_) {
      const double part = distance(unit) <= seconds * speed ? 1 : seconds * speed / distance(unit);
      unit.place.x += (unit.target.x - unit.place.x) * part;
      unit.place.y += (unit.target.y - unit.place.y) * part;
    }
  }

 private:
  static constexpr double speed = 100;
  struct Unit {
    Place place, target;
  };
  static double distance(const Unit& unit) {
    return std::hypot(unit.target.x - unit.place.x, unit.target.y - unit.place.y);
  }
  Unit& at(const std::string& name) {
    if (const auto found = units_.find(name); found != units_.end()) return found->second;
    throw ToolError("There is no unit " + name);
  }
  std::map<std::string, Unit> units_ = {};
};

/// Calls that are answered when their unit has arrived.
struct Journey {
  std::string name;
  Reply reply;
};

int main() {
  const auto streams = standard_streams();  // before anything is printed
  World world;
  std::list<Journey> journeys;

  Server server({.name = "engine", .version = "1.0.0"});
  server.tool("put", "Put a unit somewhere", args("name", "where"),
              [&](const std::string& name, Place where) { world.put(name, where); });
  server.tool("where", "Tell where a unit is", args("name"),
              [&](const std::string& name) { return world.place(name); });
  server.tool("go", "Send a unit somewhere, and wait until it is there", args("name", "target"),
              [&](const std::string& name, Place target, Reply reply) {
                world.send(name, target);
                journeys.push_back({name, std::move(reply)});
              });

  Pump pump(server, *streams);
  constexpr auto frame = 16ms;
  for (auto next = std::chrono::steady_clock::now(); pump.run_ready(4); std::this_thread::sleep_until(next += frame)) {
    world.step(std::chrono::duration<double>(frame).count());
    journeys.remove_if([&](Journey& journey) {
      const bool is_there = world.has_arrived(journey.name);
      if (is_there) journey.reply(world.place(journey.name));
      return is_there;
    });
  }
}
