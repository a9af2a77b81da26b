// Functions around every call: one refuses what is not allowed, one measures. They see tools that they do not know.
#include <chrono>
#include <toolwire/server.hpp>
#include <variant>

using namespace toolwire;
using Clock = std::chrono::steady_clock;

void only_reading(CallRequest& call, Context&, Next next) {
  if (call.info.read_only == true) return next();
  next.answer(ToolResult::error(call.tool + " changes something, and this server only reads"));
}

void measure(CallRequest&, Context&, Next next) {
  next.then([begin = Clock::now()](AnyOutcome& outcome) {
    const auto took = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);
    if (auto* const result = std::get_if<ToolResult>(&outcome)) result->add_detail("microseconds", took.count());
  });
}

int main(int argc, char** argv) {
  Server server({.name = "shelf", .version = "1.0.0"});
  server.around_call(measure);  // outside of what comes after it
  server.around_call(only_reading);
  server.tool({.name = "count_books", .description = "Count the books", .read_only = true}, [] { return 3; });
  server.tool({.name = "burn_books", .description = "Burn the books"}, [] { return 0; });
  return server.run_stdio(argc, argv);
}
