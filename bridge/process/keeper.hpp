// A process of ours that stays between the bridge and a program: it ends whatever the program leaves behind when that
// has ended or the bridge is gone. It runs between fork(2) and execve(2) and never calls execve, so only
// async-signal-safe calls are allowed: no memory is taken, nothing is thrown, no lock is touched.
#pragma once

#include <toolwire/system/process_id.hpp>
#include <toolwire/system/program_start.hpp>

namespace toolwire::bridge {

/// All that the keeper has to know, decided before the fork. A plain value, which outlives it.
struct KeeperPlan {
  const char* temporary_folder = nullptr;  ///< Goes with the program, as does the next; or null.
  const char* control_group = nullptr;
  system::ProcessId bridge = -1;
};

/// What is passed to the start of a program.
system::Keeper keeper_with(const KeeperPlan& plan);

/// Signals to the keeper.
int signal_to_ask();
int signal_to_end();

}  // namespace toolwire::bridge
