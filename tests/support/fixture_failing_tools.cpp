#include <stdexcept>
#include <string>

#include "fixture_tools.hpp"
#include "toolwire/error.hpp"

namespace toolwire_test {
namespace {

using toolwire::field;
using toolwire::fields;
using toolwire::JsonObject;
using toolwire::ToolResult;

struct Why {
  std::string why = "because";
  static constexpr auto describe() { return fields(field<&Why::why>("The reason").optional()); }
};

struct Burst {
  std::size_t bytes = 10;
  static constexpr auto describe() {
    return fields(field<&Burst::bytes>("Length of the text that is thrown").optional());
  }
};

}  // namespace

void add_failing_tools(FixtureTools& tools) {
  tools.add("fails", "Says no", [](const Why& why) -> std::string { throw toolwire::ToolError(why.why); });
  tools.add("fails_with_result", "Says no in more words", [] {
    ToolResult result = ToolResult::error("no");
    result.add_text("and no again");
    result.structured = JsonObject{{"tried", 3}};
    return result;
  });
  tools.add("throws", "Breaks",
            [](const Burst& burst) -> std::string { throw std::runtime_error(std::string(burst.bytes, 's')); });
  tools.add("throws_int", "Breaks oddly", []() -> std::string { throw 7; });
  tools.add("refuses", "Ends the request itself", []() -> std::string {
    throw toolwire::ProtocolError(1234, "Not today", JsonObject{{"day", "today"}});
  });
  tools.add("picky", "Finds fault with what it got",
            []() -> std::string { throw toolwire::InvalidArguments("moon: expected a full one"); });
}

}  // namespace toolwire_test
