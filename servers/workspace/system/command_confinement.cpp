#include "workspace/system/command_confinement.hpp"

#include <linux/seccomp.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <initializer_list>
#include <toolwire/system/file_descriptor.hpp>
#include <toolwire/system/system_files.hpp>

#include "workspace/system/call_frames.hpp"
#include "workspace/system/confine_process.hpp"

namespace workspace {
namespace {

using toolwire::system::FileRights;
using toolwire::system::LandlockRules;

constexpr int knows_moves = 2, knows_truncation = 3, knows_signals = 6;  // versions of Landlock
constexpr FileRights reading{.read = true, .execute = true};
constexpr FileRights changing{.read = true, .change = true, .execute = true};

void allow_all(LandlockRules& rules, const CommandRights& rights) {
  toolwire::system::allow_system_files(rules, reading);
  toolwire::system::allow_plain_devices(rules);
  if (rights.proc) rules.allow_if_there("/proc", {.read = true});
  for (const std::string& path : rights.read) rules.allow(path, reading);
  for (const std::string& path : rights.change) rules.allow(path, changing);
}

LandlockRules rules_for(const CommandRights& rights) {
  LandlockRules rules{{.files = {.read = true, .change = true, .devices = true, .execute = true},
                       .tcp = !rights.network,
                       .other_domains = true},
                      toolwire::system::landlock_version()};
  allow_all(rules, rights);
  return rules;
}

AllowedCalls calls_for(const CommandRights& rights) {
  return {.processes = true,
          .pairs = true,
          .internet = rights.network,
          .asked_metadata = true,
          .truncation = toolwire::system::landlock_version() >= knows_truncation};
}

bool set_bounds(const CommandRights& rights, std::uint64_t threads) {
  constexpr int niceness = 10;  // the server, and who works at the machine, come first
  ::setpriority(PRIO_PROCESS, 0, niceness);
  return (rights.proc || bound_to(RLIMIT_DATA, rights.memory)) && bound_to(RLIMIT_FSIZE, rights.file_size) &&
         bound_to(RLIMIT_CORE, 0) && bound_to(RLIMIT_NPROC, threads);
}

std::string joined(const std::vector<std::string>& paths, const std::string& behind) {
  std::string text;
  for (const std::string& path : paths) text += path + behind;
  return text;
}

}  // namespace

std::string command_confinement_problem() {
  if (std::string problem = call_filter_problem(); !problem.empty()) return problem;
  const std::uint32_t action = SECCOMP_RET_USER_NOTIF;
  if (::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) != 0)
    return "this kernel's filters of system calls cannot ask (Linux 5.0 can), without which no command is run";
  if (toolwire::system::landlock_version() < knows_moves)
    return "this kernel or sandbox has no Landlock of version 2 (Linux 5.19), without which no command is run";
  return {};
}

std::string confinement_text(const CommandRights& rights) {
  const int version = toolwire::system::landlock_version();
  const std::string mebibytes = std::to_string(rights.memory >> 20);
  std::string text = "Commands are confined by the kernel (Landlock " + std::to_string(version) +
                     ", seccomp): they change files only in " + joined(rights.change, ", ") +
                     "their own home and temporary folder; read these, " + joined(rights.read, ", ") +
                     "all with the secrets in them, and the system's software; and have ";
  text += rights.network ? "the network, also what listens on this machine by TCP and UDP" : "no network";
  if (rights.proc) text += "; they see the command lines of all processes";
  text += rights.proc ? ". A" : ". Each process gets " + mebibytes + " MiB of memory; a";
  text += " command with more than " + std::to_string(rights.processes) + " processes and threads, or with more than " +
          mebibytes +
          " MiB of memory together, is ended once that is seen. Not held back: how much they write to the disk";
  if (version < knows_signals) text += ", and signals to other processes of this user (Linux 6.12 could)";
  return text + ".";
}

bool confine_command_helper(const CommandRights& rights) {
  LandlockRules rules = rules_for(rights);
  rules.allow_if_there("/proc", {.read = true});
  return toolwire::system::give_up_new_privileges() && toolwire::system::enforce_landlock(rules.rules().get());
}

CommandConfinement::CommandConfinement(const CommandRights& rights, std::uint64_t threads)
    : rights_(rights), threads_(threads), rules_(rules_for(rights)), filter_(calls_for(rights)) {}

bool CommandConfinement::put_into_force(int socket) const {
  if (!set_bounds(rights_, threads_)) return false;
  toolwire::system::give_up_capabilities();
  const int rules = rules_.rules().get();
  if (!toolwire::system::give_up_new_privileges() || !toolwire::system::allow_own_process(rules) ||
      !toolwire::system::enforce_landlock(rules))
    return false;
  const int listener = filter_.put_into_force_and_listen();  // last, because it refuses calls made above
  if (listener < 0 || !send_descriptor(socket, listener)) return false;
  ::close(listener);  // else the end of whoever answers would not be seen
  return true;
}

}  // namespace workspace
