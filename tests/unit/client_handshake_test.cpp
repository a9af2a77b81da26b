#include <toolwire/client.hpp>

#define BOOST_TEST_MODULE client_handshake_test
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "scripted_server.hpp"

using namespace std::chrono_literals;
using toolwire::Client;
using toolwire::ClientOptions;
using toolwire::ConnectionError;
using toolwire::Json;
using toolwire::JsonArray;
using toolwire::ProtocolError;

namespace {

ClientOptions speaking(std::string revision) {
  ClientOptions options;
  options.revision = std::move(revision);
  return options;
}

const std::string meta_prefix = "io.modelcontextprotocol/";

}  // namespace

BOOST_AUTO_TEST_CASE(a_modern_server_is_found_by_the_probe_alone) {
  Json probe;
  ScriptedServer peer{[&](ScriptedServer& server) {
    probe = server.receive();
    server.reply(probe, ScriptedServer::discovery());
  }};
  const Client client{std::move(peer.client_end)};
  BOOST_TEST(client.server().modern);
  BOOST_TEST(client.server().revision == "2026-07-28");
  BOOST_TEST(client.server().name == "scripted");
  BOOST_TEST(client.server().version == "1.2.3");
  BOOST_TEST(client.server().instructions == "Be brief.");
  BOOST_TEST(client.server().capabilities.as_object().contains("tools"));
  BOOST_TEST(ScriptedServer::method_of(probe) == "server/discover");
}

BOOST_AUTO_TEST_CASE(every_modern_request_names_revision_client_and_capabilities) {
  Json request;
  ScriptedServer peer{[&](ScriptedServer& server) {
    server.be_modern();
    request = server.receive();
    server.reply(request, {{"resultType", "complete"}});
  }};
  ClientOptions options{.name = "tester", .version = "9"};
  options.on_elicitation = [](const toolwire::Elicitation&) { return toolwire::ElicitationReply{}; };
  Client client{std::move(peer.client_end), options};
  client.request("resources/list");
  const Json& meta = request.at("params").at("_meta");
  BOOST_TEST(meta.at(meta_prefix + "protocolVersion") == Json("2026-07-28"));
  BOOST_TEST(meta.at(meta_prefix + "clientInfo") == (Json{{"name", "tester"}, {"version", "9"}}));
  BOOST_TEST(meta.at(meta_prefix + "clientCapabilities").as_object().contains("elicitation"));
}

BOOST_AUTO_TEST_CASE(what_a_call_says_stands_in_place_of_what_the_client_says_with_every_request) {
  Json request;
  ScriptedServer peer{[&](ScriptedServer& server) {
    server.be_modern();
    request = server.receive();
    server.reply(request, {{"resultType", "complete"}, {"content", JsonArray()}});
  }};
  Client client{std::move(peer.client_end)};
  const Json another{{"name", "another"}, {"version", "1"}};
  toolwire::CallOptions options;
  options.meta = {{meta_prefix + "clientInfo", another}, {"vendor/\"key\"", 7}};
  options.on_progress = [](const toolwire::ProgressReport&) {};
  client.call("add", {{"a", 1}}, std::move(options));
  const auto& meta = request.at("params").at("_meta").as_object();
  BOOST_TEST(meta.size() == 5U);
  BOOST_TEST(meta.at(meta_prefix + "clientInfo") == another);
  BOOST_TEST(meta.at("vendor/\"key\"") == Json(7));
  BOOST_TEST(meta.at("progressToken") == request.at("id"));
  BOOST_TEST(meta.at(meta_prefix + "protocolVersion") == Json("2026-07-28"));
  BOOST_TEST(meta.at(meta_prefix + "clientCapabilities").is_object());
}

BOOST_AUTO_TEST_CASE(any_other_error_to_the_probe_means_a_legacy_server) {
  for (const int code : {-32601, -32602, -32600, -32000, 7}) {
    Json handshake;
    Json after;
    ScriptedServer peer{[&](ScriptedServer& server) {
      server.refuse(server.receive(), code, "what?");
      handshake = server.receive();
      server.reply(handshake, {{"protocolVersion", "2025-06-18"}, {"capabilities", toolwire::JsonObject{}}});
      after = server.receive();
    }};
    const Client client{std::move(peer.client_end)};
    BOOST_TEST(!client.server().modern);
    BOOST_TEST(client.server().revision == "2025-06-18");
    peer.finish();
    BOOST_TEST(handshake.at("params").at("protocolVersion") == Json("2025-11-25"));
    BOOST_TEST(ScriptedServer::method_of(after) == "notifications/initialized");
  }
}

BOOST_AUTO_TEST_CASE(a_server_that_answers_whatever_it_is_asked_gets_the_handshake) {
  for (const Json& answer : {Json(toolwire::JsonObject()), Json{{"ok", true}}}) {
    std::string second;
    ScriptedServer peer{[&](ScriptedServer& server) {
      server.reply(server.receive(), answer);
      const Json next = server.receive();
      second = ScriptedServer::method_of(next);
      server.reply(next, {{"protocolVersion", "2025-06-18"}, {"capabilities", toolwire::JsonObject{}}});
      server.receive();
    }};
    const Client client{std::move(peer.client_end)};
    BOOST_TEST(second == "initialize");
    BOOST_TEST(client.server().revision == "2025-06-18");
  }
}

BOOST_AUTO_TEST_CASE(a_server_that_is_silent_to_the_probe_gets_the_handshake_and_no_cancellation) {
  std::string second;
  ScriptedServer peer{[&](ScriptedServer& server) {
    server.receive();
    const Json next = server.receive();
    second = ScriptedServer::method_of(next);
    server.reply(next, {{"protocolVersion", "2024-11-05"}, {"capabilities", toolwire::JsonObject{}}});
    server.receive();
  }};
  ClientOptions options;
  options.probe_timeout = 10ms;
  const Client client{std::move(peer.client_end), options};
  BOOST_TEST(second == "initialize");
  BOOST_TEST(client.server().revision == "2024-11-05");
}

BOOST_AUTO_TEST_CASE(a_handshake_that_is_given_up_is_not_cancelled) {
  Json next;
  ScriptedServer peer{[&](ScriptedServer& server) {
    server.receive();
    next = server.receive();
  }};
  ClientOptions options = speaking("2025-11-25");
  options.timeout = 10ms;
  BOOST_CHECK_THROW((Client{std::move(peer.client_end), options}), toolwire::TimeoutError);
  peer.finish();
  BOOST_TEST(next == Json(nullptr), toolwire::to_json_text(next));
}

BOOST_AUTO_TEST_CASE(a_version_error_names_what_to_speak_instead) {
  ScriptedServer peer{[&](ScriptedServer& server) {
    server.refuse(server.receive(), -32022, "Unsupported", {{"supported", JsonArray{"3000-01-01", "2025-11-25"}}});
    server.shake_hands("2025-11-25");
  }};
  BOOST_TEST((Client{std::move(peer.client_end)}.server().revision == "2025-11-25"));
}

BOOST_AUTO_TEST_CASE(a_version_error_without_anything_in_common_is_an_error_that_lists_what_there_is) {
  ScriptedServer peer{[&](ScriptedServer& server) {
    server.refuse(server.receive(), -32022, "Unsupported", {{"supported", JsonArray{"3000-01-01"}}});
  }};
  BOOST_CHECK_EXCEPTION(Client{std::move(peer.client_end)}, ConnectionError, [](const ConnectionError& error) {
    return std::string_view{error.what()}.find("3000-01-01") != std::string_view::npos;
  });
}

BOOST_AUTO_TEST_CASE(a_legacy_revision_asked_for_goes_straight_to_the_handshake) {
  Json handshake;
  ScriptedServer peer{[&](ScriptedServer& server) {
    handshake = server.receive();
    server.reply(handshake, {{"protocolVersion", "2025-03-26"}, {"capabilities", toolwire::JsonObject{}}});
    server.receive();
    const Json ping = server.receive();
    server.expect(!ping.as_object().contains("params"));
    server.expect(ScriptedServer::method_of(ping) == "ping");
    server.reply(ping, toolwire::JsonObject{});
  }};
  Client client{std::move(peer.client_end), speaking("2025-03-26")};
  client.ping();
  BOOST_TEST(ScriptedServer::method_of(handshake) == "initialize");
  BOOST_TEST(handshake.at("params").at("protocolVersion") == Json("2025-03-26"));
}

BOOST_AUTO_TEST_CASE(a_modern_revision_asked_for_is_not_given_up) {
  ScriptedServer peer{[&](ScriptedServer& server) { server.refuse(server.receive(), -32601, "Method not found"); }};
  BOOST_CHECK_EXCEPTION(Client(std::move(peer.client_end), speaking("2026-07-28")), ProtocolError,
                        [](const ProtocolError& error) { return error.code == -32601; });
}

BOOST_AUTO_TEST_CASE(a_revision_nobody_knows_is_refused_before_anything_is_sent) {
  ScriptedServer peer{[&](ScriptedServer& server) { server.expect(server.receive().is_null()); }};
  BOOST_CHECK_THROW(Client(std::move(peer.client_end), speaking("yesterday")), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(what_can_be_asked_for_is_named_oldest_first) {
  const std::vector<std::string_view> all{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"};
  BOOST_TEST(toolwire::known_revisions() == all, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_server_that_offers_a_revision_nobody_knows_is_an_error) {
  for (const char* offered : {"1999-01-01", "2026-07-28"}) {
    ScriptedServer peer{[&](ScriptedServer& server) {
      server.reply(server.receive(), {{"protocolVersion", offered}, {"capabilities", toolwire::JsonObject{}}});
    }};
    BOOST_CHECK_EXCEPTION(Client(std::move(peer.client_end), speaking("2025-11-25")), ConnectionError,
                          [&](const ConnectionError& error) {
                            return std::string_view{error.what()}.find(offered) != std::string_view::npos;
                          });
  }
}

BOOST_AUTO_TEST_CASE(a_server_that_is_gone_at_once_is_an_error) {
  ScriptedServer peer{[](ScriptedServer&) {}};
  BOOST_CHECK_THROW(Client{std::move(peer.client_end)}, ConnectionError);
}
