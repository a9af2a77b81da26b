#include "commands/start_failure.hpp"

#include <cstddef>
#include <cstdio>
#include <new>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <toolwire/system/descriptor_limit.hpp>

namespace toolwire::bridge {
namespace {

constexpr std::size_t enough_descriptors = 256;

constexpr const char* no_memory =
    "cannot begin: there is not enough memory; expected a limit of at least 512 MiB (ulimit -v), or none";

bool is_refusal(const std::exception& error) {
  return dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
         dynamic_cast<const std::system_error*>(&error) != nullptr;
}

std::string too_few_descriptors(const std::exception& error) {
  const auto limit = system::descriptor_limit();
  return fmt::format("cannot begin: {}; this process may have {} files open, expected at least {} (ulimit -n)",
                     error.what(), limit ? std::to_string(*limit) : "any number of", enough_descriptors);
}

std::string why_not_begun(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return no_memory;
  const auto* const refusal = dynamic_cast<const std::system_error*>(&error);
  if (refusal == nullptr) return error.what();
  if (refusal->code() == std::errc::too_many_files_open) return too_few_descriptors(error);
  if (refusal->code() == std::errc::resource_unavailable_try_again) {
    return "cannot begin: the system gives no thread, as memory (ulimit -v) or processes (ulimit -u) are too few";
  }
  if (refusal->code() == std::errc::not_enough_memory) return no_memory;
  return std::string("cannot begin: ") + error.what();
}

}  // namespace

int report_failed_start(const char* command, const std::exception& error) {
  try {
    std::fprintf(stderr, "%s: %s\n", command, why_not_begun(error).c_str());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: %s\n", command, no_memory);
  }
  return is_refusal(error) ? 2 : 1;
}

}  // namespace toolwire::bridge
