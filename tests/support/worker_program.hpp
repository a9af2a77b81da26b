// `toolwire-cluster work`, with the tools of a configuration in the folder of a cluster.
#pragma once

#include <csignal>
#include <string>
#include <toolwire/child_process.hpp>

#include "replica.hpp"

namespace toolwire_test {

/// One thread.
class WorkerProgram {
 public:
  WorkerProgram(const ClusterFixture& cluster, const std::string& name, const std::string& file = "worker.json",
                const std::string& key = "")
      : process_(program(cluster, name, file, key)) {}
  ~WorkerProgram() { process_.signal(SIGTERM); }
  void kill() {
    process_.signal(SIGKILL);
    process_.wait();
  }
  void stop() { process_.signal(SIGSTOP); }
  void go_on() { process_.signal(SIGCONT); }
  int end() {
    process_.signal(SIGTERM);
    return process_.wait().code;
  }

 private:
  static toolwire::Program program(const ClusterFixture& cluster, const std::string& name, const std::string& file,
                                   const std::string& key) {
    toolwire::Program made = cluster.program({cluster_program, "work", cluster.path(file)}, name);
    made.own_group = true;
    if (!key.empty()) made.environment["TOOLWIRE_STATE_KEY"] = key;
    return made;
  }

  toolwire::ChildProcess process_;
};

}  // namespace toolwire_test
