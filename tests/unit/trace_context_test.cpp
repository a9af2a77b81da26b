#include <toolwire/detail/trace_context.hpp>

#define BOOST_TEST_MODULE trace_context_test
#include <boost/test/unit_test.hpp>

#include <string>

using namespace toolwire;

namespace {

const std::string parent = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";

TraceContext trace_of(const std::string& traceparent, const std::string& tracestate = {},
                      const std::string& baggage = {}) {
  JsonObject meta{{"traceparent", traceparent}};
  if (!tracestate.empty()) meta["tracestate"] = tracestate;
  if (!baggage.empty()) meta["baggage"] = baggage;
  return trace_in(meta);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_trace_is_read_and_passed_on_whole) {
  const TraceContext trace = trace_of(parent, "vendor=1, other=2", "user=ada;secret,b=2");
  BOOST_TEST(trace.traceparent == parent);
  BOOST_TEST(trace.tracestate == "vendor=1, other=2");
  BOOST_TEST(trace.baggage == "user=ada;secret,b=2");
  JsonObject meta{{"kept", 1}};
  add_trace(meta, trace);
  BOOST_TEST(to_json_text(meta) == R"({"kept":1,"traceparent":")" + parent +
                                       R"(","tracestate":"vendor=1, other=2","baggage":"user=ada;secret,b=2"})");
}

BOOST_AUTO_TEST_CASE(a_parent_that_breaks_its_format_is_none) {
  for (const std::string& broken :
       {std::string(), parent.substr(1), parent + "0", parent + "-more", "ff" + parent.substr(2),
        "0G" + parent.substr(2), "00-" + std::string(32, '0') + parent.substr(35),
        parent.substr(0, 36) + std::string(16, '0') + "-01", "00-0AF7651916CD43DD8448EB211C80319C" + parent.substr(35),
        parent.substr(0, 52) + ":01"}) {
    BOOST_TEST_INFO(broken);
    BOOST_TEST(trace_of(broken).is_empty());
  }
}

BOOST_AUTO_TEST_CASE(a_later_version_may_go_on) {
  BOOST_TEST(trace_of("01" + parent.substr(2)).traceparent == "01" + parent.substr(2));
  BOOST_TEST(trace_of("01" + parent.substr(2) + "-more").traceparent == "01" + parent.substr(2) + "-more");
  BOOST_TEST(trace_of("01" + parent.substr(2) + "x").is_empty());
}

BOOST_AUTO_TEST_CASE(a_state_counts_only_with_a_parent) {
  BOOST_TEST(trace_of("", "a=1").tracestate == "");
  BOOST_TEST(trace_of(parent, "a").tracestate == "");
  BOOST_TEST(trace_of(parent, "=1").tracestate == "");
  BOOST_TEST(trace_of(parent, " , ").tracestate == "");
  BOOST_TEST(trace_of(parent, "a=\x01").tracestate == "");
  std::string many = "k0=v";
  for (int i = 1; i < 32; ++i) many += ",k" + std::to_string(i) + "=v";
  BOOST_TEST(trace_of(parent, many).tracestate == many);
  BOOST_TEST(trace_of(parent, many + ",one=more").tracestate == "");
}

BOOST_AUTO_TEST_CASE(baggage_needs_no_parent) {
  BOOST_TEST(trace_of("", "", "a=1").baggage == "a=1");
  BOOST_TEST(trace_of("", "", std::string(8190, 'a') + "=1").baggage.size() == 8192u);
  BOOST_TEST(trace_of("", "", std::string(8191, 'a') + "=1").baggage == "");
}

BOOST_AUTO_TEST_CASE(what_breaks_its_format_is_not_passed_on) {
  JsonObject meta;
  add_trace(meta, {.traceparent = "x", .tracestate = "a=1", .baggage = "y"});
  BOOST_TEST(meta.empty());
  BOOST_TEST(trace_in(JsonObject{{"traceparent", 5}, {"baggage", nullptr}}).is_empty());
}
