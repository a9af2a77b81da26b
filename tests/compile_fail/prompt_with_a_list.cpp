#include "toolwire/server.hpp"

struct Topics {
  std::vector<std::string> all;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Topics::all>("Topics")); }
};
void refused(toolwire::Server& server) {
  server.prompt("talk", "Talks", [](const Topics& topics) { return topics.all.front(); });
}
