// Which trace a request over HTTP goes on with: that of its message, else that of the header fields around it.
#define BOOST_TEST_MODULE http_trace_test
#include <boost/test/unit_test.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "http_recorder.hpp"

using namespace toolwire;
using namespace toolwire::test;

namespace {

const std::string of_message = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const std::string of_proxy = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/// Keeps what has come with the last request; follows nothing.
class LastParent final : public Tracer {
 public:
  std::unique_ptr<RequestSpan> begin(const TracedRequest& request) noexcept override {
    const std::lock_guard lock(mutex_);
    parent_ = request.parent;
    session_ = request.connection;
    return nullptr;
  }
  TraceContext parent() {
    const std::lock_guard lock(mutex_);
    return parent_;
  }
  std::uint64_t session() {
    const std::lock_guard lock(mutex_);
    return session_;
  }

 private:
  std::mutex mutex_;
  TraceContext parent_;
  std::uint64_t session_ = 0;
};

struct Fixture {
  std::shared_ptr<LastParent> last = std::make_shared<LastParent>();
  Server server{{"s", "1"}, {.tracer = last}};
  http::Handler handler{server, patient()};

  Fixture() {
    server.tool("trace", "Says its trace", [](Context& context) { return context.trace().traceparent; });
  }
  TraceContext parent_of(http::Request request) {
    BOOST_TEST(outcome(handler, std::move(request)) == "200 0");
    return last->parent();
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_message_without_a_trace_goes_on_with_that_of_the_header_fields, Fixture) {
  http::Request request = modern_call("trace");
  with(request, "Traceparent", of_proxy);
  with(request, "tracestate", "a=1");
  with(request, "baggage", "b=2");
  const TraceContext parent = parent_of(request);
  BOOST_TEST(parent.traceparent == of_proxy);
  BOOST_TEST(parent.tracestate == "a=1");
  BOOST_TEST(parent.baggage == "b=2");
  BOOST_TEST(last->session() == 0U);
  BOOST_TEST(parent_of(modern_call("trace")).is_empty());
}

BOOST_FIXTURE_TEST_CASE(that_of_a_message_goes_first, Fixture) {
  http::Request request = modern_call("trace", {}, {{"traceparent", of_message}});
  with(request, "traceparent", of_proxy);
  with(request, "tracestate", "a=1");
  const TraceContext parent = parent_of(request);
  BOOST_TEST(parent.traceparent == of_message);
  BOOST_TEST(parent.tracestate == "");
}

BOOST_FIXTURE_TEST_CASE(fields_that_break_their_format_say_nothing, Fixture) {
  http::Request request = modern_call("trace");
  with(request, "traceparent", "00-" + std::string(32, '0') + "-00f067aa0ba902b7-01");
  with(request, "tracestate", "a=1");
  BOOST_TEST(parent_of(request).is_empty());
}
