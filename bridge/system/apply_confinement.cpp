#include "system/apply_confinement.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <toolwire/system/landlock.hpp>

namespace toolwire::bridge {
namespace {

int number_of(Resource resource) {
  switch (resource) {
    case Resource::address_space:
      return RLIMIT_AS;
    case Resource::private_data:
      return RLIMIT_DATA;
    case Resource::cpu_seconds:
      return RLIMIT_CPU;
    case Resource::file_size:
      return RLIMIT_FSIZE;
    case Resource::open_files:
      return RLIMIT_NOFILE;
    case Resource::core_size:
      break;
  }
  return RLIMIT_CORE;
}

}  // namespace

bool complete_rules(const ConfinementSteps& steps) {
  return !steps.is_confined || !steps.reads_own_process || system::allow_own_process(steps.rules);
}

bool apply_limits(const ConfinementSteps& steps) {
  if (steps.control_group >= 0 && ::write(steps.control_group, "0", 1) != 1) return false;
  for (std::size_t i = 0; i < steps.bound_count; ++i) {
    const rlimit both{steps.bounds[i].value, steps.bounds[i].value};
    if (::setrlimit(static_cast<__rlimit_resource>(number_of(steps.bounds[i].resource)), &both) != 0) return false;
  }
  return true;
}

bool apply_confinement(const ConfinementSteps& steps) {
  if (!steps.is_confined) return true;
  system::give_up_capabilities();
  if (!system::give_up_new_privileges()) return false;
  if (steps.rules >= 0 && !system::enforce_landlock(steps.rules)) return false;
  // Last, because it refuses the calls made above.
  return steps.filter == nullptr || steps.filter->put_into_force();
}

}  // namespace toolwire::bridge
