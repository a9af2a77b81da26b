// The control group of a daemon: what ends a host with all that is in its group is not to end what others share.
#pragma once

namespace toolwire::attach {

/// Asks the systemd of this user, where there is one, for a scope of this process's own, delegated to it. Waits at most
/// two seconds for the answer, and two until the process has been moved; without them it stays where it is. Starts a
/// process, which has ended then.
void leave_group_of_host();

}  // namespace toolwire::attach
