// What an exception says, for the log. Takes values, returns values.
#pragma once

#include <exception>
#include <string>

namespace toolwire::detail {

inline std::string what_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an exception that is not derived from std::exception";
  }
}

}  // namespace toolwire::detail
