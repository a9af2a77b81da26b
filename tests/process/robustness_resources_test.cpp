// The rows of the group robustness-protocol that concern resources, templates, completion and their subscriptions.
#define BOOST_TEST_MODULE robustness_resources_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "rows.hpp"

using namespace toolwire_test;

namespace {

const std::string options = R"({"resources":"all"})";

std::string read(const Conversation& talk, const std::string& id, const std::string& uri) {
  return talk.request(id, "resources/read", "\"uri\":" + toolwire::to_json_text(toolwire::Json(uri)));
}

std::string contents_of(Conversation& talk, const std::string& id) {
  return std::string(
      std::string_view(talk.answer(id).at("result").at("contents").at(0).as_object().at("text").as_string()));
}

std::vector<std::string> hostile_uris() {
  return {"test://" + std::string(64 << 10, 'x'),
          "note:///" + std::string(64 << 10, 'x'),
          "test://%zz",
          "note:///%zz",
          "note:///%",
          "note:///%00",
          "note:///%ff%fe",
          "note:///../../etc/passwd",
          "note:///%2e%2e%2f%2e%2e%2fetc%2fpasswd",
          "note:///..%5c..%5cwindows",
          "http://[::1]:80/",
          "http://[fe80::1%25eth0]/",
          "http://[",
          "http://169.254.169.254/latest/meta-data",
          "data:text/html,<script>",
          "data:;base64,AAAA",
          "javascript:alert(1)",
          "file:///etc/passwd",
          "file://host/share",
          "\\\\host\\share",
          "//host/share",
          "test://text#",
          "test://text?",
          "TEST://text",
          "",
          ":",
          "\x7f",
          "weather://{city}",
          "weather://a?days=1&days=1"};
}

void uri_attacks(Era era) {
  Conversation talk(era, fixture_program(options));
  for (const std::string& uri : hostile_uris()) {
    talk.send(read(talk, "1", uri));
    const auto code = talk.code_of("1");
    const bool is_refused = code == -32602 || (era == Era::legacy && code == -32002);
    // "{city}" is a city like any other: it is an expansion of its own template.
    BOOST_TEST_CONTEXT(uri.substr(0, 80)) { BOOST_TEST((is_refused || uri == "weather://{city}")); }
  }
  talk.send(R"({"jsonrpc":"2.0","id":"cut","method":"resources/read","params":{"uri":"test://\ud800"}})");
  talk.check_alive();
  talk.send(read(talk, "2", "test://watched"));
  BOOST_TEST(contents_of(talk, "2") == "watched");
}

void template_redos(Era era) {
  Conversation talk(era, fixture_program(R"({"resources":"all","limits":{"uri":1000000}})"));
  for (const std::string& uri : {"weather://" + std::string(100'000, 'a') + "/", "note://" + std::string(100'000, 'a'),
                                 "weather://" + std::string(100'000, '%')}) {
    talk.send(read(talk, "1", uri));
    BOOST_TEST(talk.code_of("1") != 0);
  }
  talk.send(read(talk, "2", "note:///" + std::string(100'000, 'a')));
  BOOST_TEST(contents_of(talk, "2").size() == 100'000u + std::string("note at ").size());
  std::string query = "weather://a?";
  for (int i = 0; i < 10'000; ++i) query += "&";
  talk.send(read(talk, "3", query + "days=2"));
  BOOST_TEST(contents_of(talk, "3") == R"({"city":"a","days":2,"unit":"celsius"})");
  talk.check_alive();
}

std::string complete(const Conversation& talk, const std::string& id, const std::string& typed) {
  return talk.request(id, "completion/complete",
                      R"("ref":{"type":"ref/resource","uri":"weather://{city}{?days,unit}"},)"
                      R"("argument":{"name":"city","value":")" +
                          typed + "\"}");
}

void completion_burst(Era era) {
  Conversation talk(era, fixture_program(options));
  std::string typed;
  for (int i = 0; i < 200; ++i) {
    typed.push_back(static_cast<char>('a' + i % 26));
    talk.send(complete(talk, std::to_string(i), typed));
  }
  for (int i = 0; i < 200; ++i) {
    const toolwire::Json completion = talk.answer(std::to_string(i)).at("result").at("completion");
    BOOST_TEST(completion.at("values").as_array().size() == 100u);
    BOOST_TEST(completion.at("hasMore").as_bool());
  }
  talk.check_alive();
}

/// A reading that takes its time holds up neither others nor the rest of the protocol.
void slow_reading(Era era) {
  Conversation talk(era, fixture_program(options));
  talk.send(read(talk, "\"slow\"", "test://slow"));
  talk.send(talk.call("1", "wait", R"({"gate":"reading has begun"})"));
  BOOST_TEST(talk.text_of("1") == "opened");
  talk.send(read(talk, "2", "test://watched"));
  BOOST_TEST(contents_of(talk, "2") == "watched");
  talk.check_alive();
  talk.send(talk.call("3", "open", R"({"gate":"reading"})"));
  BOOST_TEST(contents_of(talk, "\"slow\"") == "read");
}

/// Thousands of updates reach every subscriber, each with its id, and none that has cancelled.
void update_storm(Era era) {
  Conversation talk(era, fixture_program(options));
  if (era == Era::legacy) {
    talk.send(talk.request("\"watch\"", "resources/subscribe", R"("uri":"test://watched")"));
    BOOST_TEST(talk.code_of("\"watch\"") == 0);
  } else {
    talk.send(talk.request("\"watch\"", "subscriptions/listen",
                           R"("notifications":{"resourceSubscriptions":["test://watched"]})"));
  }
  for (int i = 0; i < 2000; ++i) talk.send(talk.call(std::to_string(i), "touch", R"({"uri":"test://watched"})"));
  for (int i = 0; i < 2000; ++i) BOOST_TEST(talk.text_of(std::to_string(i)) == "test://watched");
  talk.check_alive();
  std::size_t heard = 0;
  for (const auto& other : talk.others())
    if (other.at("method") == "notifications/resources/updated") ++heard;
  BOOST_TEST(heard > 0u);
  BOOST_TEST(heard <= 2000u);
  BOOST_TEST(talk.end().code == 0);
}

const Row rows[] = {
    {"rb-uri-attacks", uri_attacks},  {"rb-template-redos", template_redos}, {"rb-completion-burst", completion_burst},
    {"a-slow-reading", slow_reading}, {"a-storm-of-updates", update_storm},
};

const bool registered = register_rows(rows);

}  // namespace
