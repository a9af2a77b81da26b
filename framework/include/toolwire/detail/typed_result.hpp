// What a call was given and what it came to, between C++ types and JSON. Nobody but client.hpp includes this.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include "toolwire/convert.hpp"
#include "toolwire/json.hpp"

namespace toolwire {

struct CallResult;

namespace detail {

template <class Arguments>
Json call_arguments(const Arguments& arguments) {
  if constexpr (std::is_convertible_v<const Arguments&, Json>) {
    return arguments;
  } else {
    static_assert(
        Described<Arguments> || is_map<Arguments>,
        "toolwire: the arguments of a call are a described struct, a map with keys of std::string, or JSON such "
        "as {{\"a\", 1}, {\"b\", 2}}");
    return toolwire::encode(arguments);
  }
}

// All throw CallFailed for a tool that has failed, and UnexpectedResult, naming `tool`, for what cannot be read.
void require_success(const CallResult& result, std::string_view tool);
std::string text_of_result(const CallResult& result, std::string_view tool);
Json json_of_result(const CallResult& result, std::string_view tool);
void read_result(const CallResult& result, std::string_view tool, const Shape& shape, void* out);

}  // namespace detail
}  // namespace toolwire
