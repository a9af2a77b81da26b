#include "wait.hpp"

#include <poll.h>

#include <algorithm>

#include <toolwire/system/ready_set.hpp>

namespace toolwire::streams {

bool wait_until_ready(int descriptor, std::uint32_t wanted, std::chrono::steady_clock::time_point until) {
  using std::chrono::milliseconds;
  const auto bit = [&](std::uint32_t one, int event) { return (wanted & one) != 0 ? event : 0; };
  const int events = bit(system::ready::to_read, POLLIN) | bit(system::ready::to_write, POLLOUT);
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(until - std::chrono::steady_clock::now());
    pollfd one{descriptor, static_cast<short>(events), 0};
    if (::poll(&one, 1, static_cast<int>(std::max(left, milliseconds::zero()).count())) > 0) return true;
    if (left <= milliseconds::zero()) return false;
  }
}

}  // namespace toolwire::streams
