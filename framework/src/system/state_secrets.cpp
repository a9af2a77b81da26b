#include <toolwire/system/state_secrets.hpp>

#include <cstdlib>
#include <stdexcept>

namespace toolwire::system {
namespace {

std::string secret(const char* name) {
  constexpr std::size_t least = 16;
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  std::string found = value == nullptr ? "" : value;
  if (found.empty() || found.size() >= least) return found;
  throw std::invalid_argument(std::string(name) + ": expected a secret of at least " + std::to_string(least) +
                              " bytes, or none; found one of " + std::to_string(found.size()));
}

}  // namespace

StateSecrets state_secrets() { return {secret("TOOLWIRE_STATE_KEY"), secret("TOOLWIRE_SECOND_STATE_KEY")}; }

}  // namespace toolwire::system
