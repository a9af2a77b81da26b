// The little that the tests need.
#pragma once

#include <cstdio>
#include <string>

/// Says what is wrong, and counts it for the exit status of the test.
inline int failures = 0;

inline void check(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "failed: %s\n", what.c_str());
  ++failures;
}
