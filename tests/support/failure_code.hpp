// The code of a call that a toolwire server answered with a failure.
#pragma once

#include <string>

#include <toolwire/client.hpp>
#include <toolwire/json_members.hpp>

namespace toolwire_test {

/// Empty if the result has none.
inline std::string code_of(const toolwire::CallResult& result) {
  return toolwire::text_or(toolwire::member_or_null(result.raw, "_meta", "dev.toolwire/error"), "code");
}

}  // namespace toolwire_test
