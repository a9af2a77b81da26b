#include "toolwire/server.hpp"

void refused(toolwire::Server& server) {
  server.prompt("talk", "Talks", []() { return 5; });
}
