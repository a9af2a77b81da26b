// A server made of others: each part of a program registers what it has on a server of its own.
#include <string>
#include <toolwire/server.hpp>

using namespace toolwire;

void add_weather(Server& weather) {
  weather.tool("now", "The weather of a city", args("city"), [](const std::string& city) { return city + ": rain"; });
  weather.resource({.uri = "weather://cities", .name = "Cities"}, [] { return "Oslo, Rome"; });
}

void add_trains(Server& trains) {
  trains.tool("next", "The next train to a city", args("city"), [&trains](const std::string& city) {
    // What is registered later is there on the other server, too.
    if (!trains.has_tool("book")) trains.tool("book", "Book the train", [] { return "booked"; });
    return city + ": at 9:05; it can be booked now";
  });
}

int main(int argc, char** argv) {
  Server weather({.name = "weather", .version = "1.0.0"});
  Server trains({.name = "trains", .version = "1.0.0"});
  add_weather(weather);
  add_trains(trains);

  Server server({.name = "travel", .version = "1.0.0"});
  server.mount("weather", weather);  // weather_now, and weather://cities under its own URI
  server.mount("trains", trains);    // trains_next
  return server.run_stdio(argc, argv);
}
