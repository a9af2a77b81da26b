// Stores that answer at once cost no allocation, and neither does the way of a tool that does, nor a timer that rings,
// nor the end of an engine.
#define BOOST_TEST_MODULE store_allocation
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "counted_allocations.hpp"
#include "engine/engine.hpp"
#include "protocol/tasks/tasks.hpp"
#include "toolwire/detail/asking.hpp"
#include "toolwire/server.hpp"
#include "toolwire/stores.hpp"
#include "toolwire/transport.hpp"

using namespace toolwire;
using toolwire_test::allocations;

namespace {

/// Asks, as a request does.
class Asker : public std::enable_shared_from_this<Asker>,
              public detail::Asking<Asker, NonceUse, RateStore::Wait, std::optional<TaskRecord>> {
 public:
  void answered_later() { BOOST_ERROR("the answer did not come at once"); }
  template <class T, class Ask>
  typename Done<T>::Result answer(Ask ask) {
    return std::move(*asked<T>(ask));
  }
};

/// Of the last of some calls: the first ones may make room for later ones.
template <class Body>
long allocations_of(Body body) {
  for (int i = 0; i < 10; ++i) body();
  const long before = allocations;
  body();
  return allocations - before;
}

/// Sends one request again and again, and counts what each of them allocates once the server is warm.
class Repeated final : public Transport {
 public:
  explicit Repeated(std::string line) : line_(std::move(line)) {}

  std::ptrdiff_t read(char* into, std::size_t) override {
    if (count_ == warm) before_ = allocations;
    if (count_ == warm + counted) taken_ = allocations - before_;
    if (count_++ == warm + counted) return 0;
    std::copy(line_.begin(), line_.end(), into);
    return static_cast<std::ptrdiff_t>(line_.size());
  }
  std::ptrdiff_t write(const char* bytes, std::size_t count, Blocking) override {
    answered_ += std::string_view(bytes, count).find("\"result\":") != std::string_view::npos;
    return static_cast<std::ptrdiff_t>(count);
  }
  void interrupt() override {}
  bool input_closed() override { return count_ > warm + counted; }

  bool all_answered() const { return answered_ == warm + counted; }
  double per_request() const { return static_cast<double>(taken_) / counted; }

 private:
  static constexpr long warm = 300;
  static constexpr long counted = 1000;
  const std::string line_;
  long count_ = 0;
  long answered_ = 0;
  long before_ = 0;
  long taken_ = 0;
};

std::string line_for(std::string_view method, std::string_view params) {
  std::string line = R"({"jsonrpc":"2.0","id":1,"method":")";
  line.append(method).append(R"(","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)");
  line.append(R"("io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},)");
  line.append(R"("io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}},)");
  return line.append(params).append("}}\n");
}

double per_request(Server& server, std::string_view method, std::string_view params) {
  Repeated transport(line_for(method, params));
  server.run(transport);
  BOOST_TEST(transport.all_answered());
  return transport.per_request();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_memory_store_that_keeps_nothing_allocates_nothing) {
  const auto asker = std::make_shared<Asker>();
  const auto rates = memory_rate_store();
  const std::string key = "a key that is longer than a short string";
  BOOST_TEST(allocations_of([&] {
               asker->answer<RateStore::Wait>([&](auto done) { rates->look(key, 5, std::move(done)); });
             }) == 0);
  const auto nonces = memory_nonce_store();
  const auto later = std::chrono::system_clock::now() + std::chrono::hours(1);
  BOOST_TEST(allocations_of(
                 [&] { asker->answer<NonceUse>([&](auto done) { nonces->use(key, later, std::move(done)); }); }) == 0);
  protocol::Tasks tasks({});
  BOOST_TEST(allocations_of([&] {
               asker->answer<std::optional<TaskRecord>>([&](auto done) { tasks.find(key, {}, std::move(done)); });
             }) == 0);
  BOOST_TEST(allocations > 0);  // the counter counts
}

BOOST_AUTO_TEST_CASE(the_way_of_a_tool_that_answers_at_once_allocates_nothing) {
  Server server({.name = "s", .version = "1"}, {.threads = 0});
  server.tool("plain", "Answers", [] { return std::string("yes"); });
  server.tool({.name = "serial_tool_of_the_same_server", .serial = true}, [] { return std::string("yes"); });
  server.tool({.name = "rated", .description = "Answers", .rate_per_minute = 1'000'000},
              [] { return std::string("yes"); });
  constexpr double message = 1;   // the memory its values are read into
  constexpr double result = 1;    // the list of its content, which the tool makes
  constexpr double blocks = 0.1;  // of the queue, and of the times of the rate, now and then
  BOOST_TEST(per_request(server, "tools/call", R"("name":"plain")") < message + result + blocks);
  BOOST_TEST(per_request(server, "tools/call", R"("name":"rated")") < message + result + blocks);
}

BOOST_AUTO_TEST_CASE(timers_that_are_due_or_dropped_allocate_nothing) {
  engine::Timers timers;
  const auto now = engine::Timers::Clock::now();
  int ran = 0;
  for (int i = 0; i < 3; ++i) timers.add(now, [&ran] { ++ran; });
  timers.add(
      now, [&ran] { ++ran; }, &ran);
  const long before = allocations;
  timers.drop(&ran);
  timers.run_due(now);
  BOOST_TEST(allocations == before);
  BOOST_TEST(ran == 3);
}

// It ends also where there was no memory to begin.
BOOST_AUTO_TEST_CASE(an_engine_that_ends_allocates_nothing) {
  engine::Engine engine({.threads = 0});
  engine.post([] {});
  const long before = allocations;
  engine.end();
  BOOST_TEST(allocations == before);
}
