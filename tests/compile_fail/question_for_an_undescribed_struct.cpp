#include "toolwire/server.hpp"

struct Consent {
  bool agreed;
};
auto refused() { return toolwire::ask<Consent>("consent", "Do you agree?"); }
