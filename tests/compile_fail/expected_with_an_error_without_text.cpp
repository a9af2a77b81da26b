#include "toolwire/server.hpp"

struct Error {
  int number;
};
struct Found {
  bool has_value() const;
  int value() const;
  Error error() const;
};
void refused(toolwire::Server& server) {
  server.tool("search", "Searches", [] { return Found(); });
}
