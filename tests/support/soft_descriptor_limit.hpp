// A lower limit of open descriptors for a part of a test.
#pragma once

#include <sys/resource.h>

namespace toolwire_test {

/// The soft limit is what it was when this is destroyed. What is open stays open.
class SoftDescriptorLimit {
 public:
  explicit SoftDescriptorLimit(rlim_t limit) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit lower{limit, before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &lower);
  }
  SoftDescriptorLimit(const SoftDescriptorLimit&) = delete;
  SoftDescriptorLimit& operator=(const SoftDescriptorLimit&) = delete;
  ~SoftDescriptorLimit() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

}  // namespace toolwire_test
