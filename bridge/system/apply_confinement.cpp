#include "system/apply_confinement.hpp"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <toolwire/system/landlock.hpp>

namespace toolwire::bridge {
namespace {

/// Drops root's capabilities: raising limits, loading modules, signalling any process. Its own files stay accessible.
void drop_capabilities() {
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  for (unsigned long capability = 0; capability <= 63; ++capability) {
    if (capability == CAP_DAC_OVERRIDE || capability == CAP_DAC_READ_SEARCH || capability == CAP_FOWNER) continue;
    ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);  // fails without the right to: then there is nothing to drop
  }
}

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
  drop_capabilities();
  if (!system::give_up_new_privileges()) return false;
  if (steps.reads_own_process && !system::allow_own_process(steps.rules)) return false;
  if (steps.rules >= 0 && !system::enforce_landlock(steps.rules)) return false;
  // Last, because it refuses the calls made above.
  return steps.filter == nullptr || steps.filter->put_into_force();
}

}  // namespace toolwire::bridge
