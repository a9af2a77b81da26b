#include "cluster/secrets.hpp"

#include <cstdlib>
#include <stdexcept>

namespace toolwire::bridge::cluster {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody changes it
  return value == nullptr ? "" : value;
}

}  // namespace

StateKeys state_keys() {
  StateKeys keys{variable("TOOLWIRE_STATE_KEY"), variable("TOOLWIRE_SECOND_STATE_KEY")};
  if (keys.key.empty())
    throw std::invalid_argument(
        "TOOLWIRE_STATE_KEY is not set: expected a secret of at least 16 bytes, the same for all replicas and workers");
  return keys;
}

}  // namespace toolwire::bridge::cluster
