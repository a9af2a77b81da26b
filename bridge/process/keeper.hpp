// A process between the bridge and a program that ends whatever the program leaves behind when that has ended or the
// bridge is gone. It is forked and never calls execve(2), so only async-signal-safe calls are allowed: no memory is
// taken, nothing is thrown, no lock is touched.
#pragma once

#include <toolwire/system/process_id.hpp>
#include <toolwire/system/program_start.hpp>

namespace toolwire::bridge {

/// What the keeper has to know, decided before the fork. A plain value, which outlives the start.
struct KeeperPlan {
  const char* temporary_folder = nullptr;  ///< Goes with the program, as does the next; or null.
  const char* control_group = nullptr;
  system::ProcessId bridge = -1;
};

/// What is passed to the start of a program.
system::Keeper keeper_with(const KeeperPlan& plan);

/// The signal that asks the keeper to end the program.
int signal_to_ask();
int signal_to_end();

}  // namespace toolwire::bridge
