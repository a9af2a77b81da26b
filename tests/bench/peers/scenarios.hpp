// What peers of one server do to each other.
#pragma once

#include "lines/board.hpp"

namespace toolwire::bench {

/// How much of everything.
struct Amount {
  int pings = 200;
  int connections = 100'000;
  int megabytes = 80;  // of a line
  int settle = 7;      // seconds until threads that are not needed have ended
};

void short_tools(Board& board, const Amount& amount);
void long_tools(Board& board, const Amount& amount);
void peers_that_do_not_read(Board& board, const Amount& amount);
void large_lines(Board& board, const Amount& amount);
void three_hundred(Board& board, const Amount& amount);
void one_after_the_other(Board& board, const Amount& amount);

}  // namespace toolwire::bench
