// Tools that stop, at work and waiting, when their client leaves, their deadline passes or the server ends.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <toolwire/server.hpp>

using namespace toolwire;

std::mutex mutex;
std::condition_variable_any rang;
bool has_rung = false;
std::atomic<int> at_work = 0;

void search(Context& context) {
  ++at_work;
  for (int place = 0; !context.stop_requested(); ++place) context.progress(place);
  --at_work;
}

const char* wait_for_bell(Context& context) {
  std::unique_lock lock(mutex);
  return rang.wait(lock, context.stop_token(), [] { return has_rung; }) ? "It has rung" : "Nobody rang";
}

void ring() {
  const std::lock_guard lock(mutex);
  has_rung = true;
  rang.notify_all();
}

int main(int argc, char** argv) {
  Server server({.name = "bell", .version = "1.0.0"});
  server.tool("search", "Search without end", search);
  server.tool("at_work", "Tell how many searches go on", [] { return at_work.load(); });
  server.tool({.name = "wait_for_bell", .description = "Wait", .timeout = std::chrono::minutes(1)}, wait_for_bell);
  server.tool("ring", "Ring the bell", ring);
  return server.run_stdio(argc, argv);
}
