// Where on a command line a value would be program text: code of a shell or of another interpreter. Independent of
// templates.
#pragma once

#include <span>
#include <string>

namespace toolwire::bridge {

/// One argument, as far as it is known before there are values.
struct KnownArgument {
  std::string text = {};   ///< What comes before the first value.
  bool has_value = false;  ///< Else this is all of it.
};

/// Whether the program, or one that it is told to start, would run a value as code.
bool runs_a_value(std::span<const KnownArgument> command);

}  // namespace toolwire::bridge
