#include <toolwire/system/process_id.hpp>

#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace toolwire::system {

ProcessId own_process_id() { return ::getpid(); }

bool process_exists(ProcessId process) { return ::kill(process, 0) == 0 || errno != ESRCH; }

}  // namespace toolwire::system
