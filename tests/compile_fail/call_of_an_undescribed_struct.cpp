#include "toolwire/client.hpp"

struct Sum {
  int a, b;
};
auto refused(toolwire::Client& client) { return client.call<int>("add", Sum{1, 2}); }
