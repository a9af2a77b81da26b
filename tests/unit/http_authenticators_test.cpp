// Who is let in by what a server was told beforehand: known tokens, and the word of a proxy.
#include <toolwire/http/authenticators.hpp>

#define BOOST_TEST_MODULE http_authenticators_test
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "http_served.hpp"
#include "scratch_folder.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

const std::string secret = "0123456789abcdef0123456789abcdef";
const std::string other = "another-token-of-thirty-two-chars";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct Verdict {
  std::optional<Principal> principal = {};
  std::string why = {};
  std::string challenge = {};

  std::string id() const { return principal ? principal->id : std::string(); }
};

Verdict verdict_on(std::vector<http::Field> fields, const http::Authenticate& authenticate,
                   std::optional<Peer> peer = {}) {
  std::optional<Verdict> verdict;
  const http::Request head{.method = "POST", .target = "/mcp", .fields = std::move(fields), .peer = peer};
  authenticate(head, Done<Principal>([&](Done<Principal>::Result&& result) {
                 verdict.emplace();
                 if (auto* const known = std::get_if<Principal>(&result)) {
                   verdict->principal = std::move(*known);
                   return;
                 }
                 try {
                   std::rethrow_exception(std::get<std::exception_ptr>(result));
                 } catch (const http::NotAuthenticated& error) {
                   verdict->why = error.what();
                   verdict->challenge = error.challenge;
                 }
               }));
  BOOST_REQUIRE(verdict.has_value());
  return *verdict;
}

/// What a function says of arguments that cannot be meant; empty if it takes them.
template <class Function>
std::string refusal(Function function) {
  try {
    function();
    return {};
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

http::TrustedProxy usual_proxy() {
  return {.principal_field = "X-Forwarded-User",
          .scopes_field = "X-Forwarded-Scopes",
          .secret_field = "X-Proxy-Secret",
          .secret = secret};
}

}  // namespace

BOOST_AUTO_TEST_CASE(who_has_a_known_token_is_whose_it_is) {
  const auto knows = http::known_tokens(
      {{.token = secret, .principal = {"ann", {"read", "write"}}}, {.token = other, .principal = "bob"}});
  const Verdict ann = verdict_on({{"authorization", "bearer  " + secret}}, knows);
  BOOST_TEST(ann.id() == "ann");
  BOOST_TEST(ann.principal.value().has_scope("write"));
  BOOST_TEST(!ann.principal.value().has_scope("wri"));
  BOOST_TEST(verdict_on({{"Authorization", "Bearer " + other}}, knows).id() == "bob");

  const Verdict nobody = verdict_on({}, knows);
  BOOST_TEST(nobody.challenge == "Bearer");
  BOOST_TEST(has(nobody.why, "Authorization: Bearer TOKEN"));
  const std::vector<std::vector<http::Field>> wrong{
      {{"Authorization", "Bearer " + secret + "x"}},
      {{"Authorization", "Bearer " + secret.substr(1)}},
      {{"Authorization", "Bearer " + secret + secret}},
      {{"Authorization", "Bearer"}},
      {{"Authorization", ""}},
      {{"Authorization", "Basic " + secret}},
      {{"Authorization", secret}},
      {{"Authorization", "Bearer " + secret}, {"authorization", "Bearer " + secret}}};
  for (const auto& fields : wrong) {
    const Verdict verdict = verdict_on(fields, knows);
    BOOST_TEST(!verdict.principal.has_value(), fields[0].value);
    BOOST_TEST(verdict.challenge == R"(Bearer error="invalid_token")", fields[0].value);
    BOOST_TEST(!has(verdict.why, secret), "a token is shown");
  }
}

BOOST_AUTO_TEST_CASE(tokens_that_cannot_be_meant_are_refused) {
  const auto said = [](std::vector<http::KnownToken> tokens) {
    return refusal([&] { http::known_tokens(std::move(tokens)); });
  };
  BOOST_TEST(has(said({}), "without a token"));
  BOOST_TEST(has(said({{.token = "short", .principal = "ann"}}), "at least 32 characters"));
  BOOST_TEST(has(said({{.token = secret + " ", .principal = "ann"}}), "visible ASCII"));
  BOOST_TEST(has(said({{.token = secret + "ä", .principal = "ann"}}), "visible ASCII"));
  BOOST_TEST(has(said({{.token = secret}}), "is somebody's"));
  BOOST_TEST(has(said({{.token = secret, .principal = "an\nn"}}), "is somebody's"));
  BOOST_TEST(has(said({{.token = secret, .principal = std::string(max_principal_id + 1, 'a')}}), "is somebody's"));
  BOOST_TEST(has(said({{.token = secret, .principal = "ann"}, {.token = secret, .principal = "bob"}}), "twice"));
}

BOOST_AUTO_TEST_CASE(tokens_are_read_from_lines) {
  const auto tokens =
      http::known_tokens_in("# who may call\n\nann " + secret + "\r\n \tbob\t" + other + "  read write \n");
  BOOST_REQUIRE(tokens.size() == 2U);
  BOOST_TEST(tokens[0].principal.id == "ann");
  BOOST_TEST(tokens[0].token == secret);
  BOOST_TEST(tokens[0].principal.scopes.empty());
  BOOST_TEST(tokens[1].principal.id == "bob");
  BOOST_TEST(tokens[1].principal.scopes == (std::vector<std::string>{"read", "write"}));
  const auto said = [](const std::string& text) { return refusal([&] { http::known_tokens_in(text); }); };
  BOOST_TEST(has(said("\n# nobody\n"), "found none"));
  BOOST_TEST(has(said("\nann\n"), "line 2: expected \"NAME TOKEN\""));
  BOOST_TEST(has(said("ann short"), "at least 32 characters"));
  BOOST_TEST(has(said("ann " + secret + " \"read\""), "a scope"));
  BOOST_TEST(has(said("ann " + secret + "\nann " + other), "line 2: expected \"NAME TOKEN\""));
  BOOST_TEST(has(said("ann " + secret + "\nbob " + secret), "occurs twice"));
  BOOST_TEST(!has(said("ann " + secret + "\nbob " + secret), secret), "a token is shown");
}

BOOST_AUTO_TEST_CASE(a_proxy_that_knows_the_secret_says_who_calls) {
  const auto believes = http::trusted_proxy(usual_proxy());
  const http::Field shown{"x-proxy-secret", secret};
  const Verdict ann =
      verdict_on({shown, {"x-forwarded-user", "ann@example.com"}, {"X-Forwarded-Scopes", " read  write "}}, believes);
  BOOST_TEST(ann.id() == "ann@example.com");
  BOOST_TEST(ann.principal.value().scopes == (std::vector<std::string>{"read", "write"}));
  BOOST_TEST(verdict_on({shown, {"X-Forwarded-User", "bob"}}, believes).principal.value().scopes.empty());

  const http::Field user{"X-Forwarded-User", "ann"};
  const std::vector<std::vector<http::Field>> by_others{
      {user}, {user, {"X-Proxy-Secret", secret + "x"}}, {user, {"X-Proxy-Secret", ""}}, {user, shown, shown}};
  for (const auto& fields : by_others) {
    const Verdict verdict = verdict_on(fields, believes);
    BOOST_TEST(!verdict.principal.has_value());
    BOOST_TEST(has(verdict.why, "through the proxy"), verdict.why);
  }
  const std::vector<std::vector<http::Field>> of_nobody{
      {shown}, {shown, {"X-Forwarded-User", ""}}, {shown, user, user}, {shown, {"X-Forwarded-User", "an\xffn"}}};
  for (const auto& fields : of_nobody) {
    const Verdict verdict = verdict_on(fields, believes);
    BOOST_TEST(!verdict.principal.has_value());
    BOOST_TEST(has(verdict.why, "does not say who calls"), verdict.why);
  }
  // Whoever adds a second list to that of the proxy has none.
  BOOST_TEST(verdict_on({shown, user, {"X-Forwarded-Scopes", "read"}, {"X-Forwarded-Scopes", "admin"}}, believes)
                 .principal.value()
                 .scopes.empty());
}

BOOST_AUTO_TEST_CASE(a_proxy_over_a_unix_socket_is_known_by_its_user) {
  const auto believes = http::trusted_proxy({.principal_field = "X-User", .users = {33, 34}});
  const std::vector<http::Field> fields{{"X-User", "ann"}};
  BOOST_TEST(verdict_on(fields, believes, Peer{34, 1}).id() == "ann");
  BOOST_TEST(!verdict_on(fields, believes, Peer{0, 1}).principal.has_value());
  BOOST_TEST(!verdict_on(fields, believes).principal.has_value());
  http::TrustedProxy both = usual_proxy();
  both.users = {33};
  const auto asks_both = http::trusted_proxy(both);
  const std::vector<http::Field> all{{"X-Forwarded-User", "ann"}, {"X-Proxy-Secret", secret}};
  BOOST_TEST(verdict_on(all, asks_both, Peer{33, 1}).id() == "ann");
  BOOST_TEST(!verdict_on(all, asks_both).principal.has_value());
  BOOST_TEST(!verdict_on({all[0]}, asks_both, Peer{33, 1}).principal.has_value());
}

BOOST_AUTO_TEST_CASE(a_proxy_that_cannot_be_meant_is_refused) {
  const auto said = [](auto change) {
    http::TrustedProxy proxy = usual_proxy();
    change(proxy);
    return refusal([&] { http::trusted_proxy(proxy); });
  };
  BOOST_TEST(has(said([](auto& proxy) { proxy.principal_field = ""; }), "principal_field: expected the name of"));
  BOOST_TEST(has(said([](auto& proxy) { proxy.scopes_field = "two words"; }), "scopes_field: expected the name of"));
  BOOST_TEST(has(said([](auto& proxy) { proxy.secret = ""; }), "together"));
  BOOST_TEST(has(said([](auto& proxy) { proxy.secret_field = ""; }), "together"));
  BOOST_TEST(has(said([](auto& proxy) { proxy.secret = "short"; }), "at least 32"));
  BOOST_TEST(has(said([](auto& proxy) { proxy.secret_field = proxy.secret = ""; }), "anybody could say who calls"));
  BOOST_TEST(has(said([](auto& proxy) { proxy.secret_field = "x-forwarded-user"; }), "a field of its own"));
  BOOST_TEST(has(said([](auto& proxy) { proxy.scopes_field = "X-FORWARDED-USER"; }), "a field of its own"));
}

BOOST_AUTO_TEST_CASE(tools_see_the_scopes_of_who_calls) {
  http::Port port = patient();
  port.authenticate = http::known_tokens(
      {{.token = secret, .principal = {"ann", {"write"}}}, {.token = other, .principal = {"bob", {"read"}}}});
  HttpServed served(port);
  served.server.tool({.name = "erase",
                      .description = "Erases",
                      .visible = [](Context& context) { return context.principal().has_scope("write"); }},
                     [](Context& context) { return "erased by " + context.principal().id; });
  const auto body_for = [&](const std::string& token) {
    RawHttp client = served.client();
    client.send(served.call("erase", "{}", "Authorization: Bearer " + token + "\r\n").text());
    return client.answer().value().body;
  };
  BOOST_TEST(has(body_for(secret), "erased by ann"), body_for(secret));
  BOOST_TEST(has(body_for(other), "Unknown tool"), body_for(other));
}

BOOST_AUTO_TEST_CASE(who_reaches_a_unix_socket_is_known_before_it_is_let_in) {
  const ScratchFolder folder;
  const std::string path = (folder / "socket").string();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  system::FileDescriptor listening{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  BOOST_REQUIRE(::bind(listening.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  BOOST_REQUIRE(::listen(listening.get(), 8) == 0);
  const auto status_with = [&](unsigned user) {
    http::Port port = patient();
    port.descriptor = ::dup(listening.get());
    port.authenticate = http::trusted_proxy({.principal_field = "X-User", .users = {user}});
    const HttpServed served(port);
    system::FileDescriptor socket{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    BOOST_REQUIRE(::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    RawHttp client(std::move(socket));
    client.send(
        RawCall{.tool = "echo", .arguments = R"({"text":"x"})", .more = "X-User: ann\r\n", .host = "localhost"}.text());
    return client.answer().value().status;
  };
  BOOST_TEST(status_with(::getuid()) == 200);
  BOOST_TEST(status_with(::getuid() + 1) == 401);
}
