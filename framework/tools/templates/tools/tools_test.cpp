// A client and the server in one process: what a host would see.
#include "tools.hpp"

#include <toolwire/testing.hpp>

#include "check.hpp"

int main() {
  toolwire::Server server{{.name = "{{NAME}}", .version = "0.1.0"}};
  add_tools(server);
  toolwire::testing::Client client{server};

  check(client.list_tools().size() == 2, "there are two tools");
  const auto counted = client.call("count", {{"text", "one two\nthree"}});
  check(counted.structured.has_value() && counted.structured->at("words") == 3, "words are counted");
  check(client.call("repeat", {{"text", "ab"}, {"times", 2}}).text() == "abab", "a text is repeated");
  check(client.call("repeat", {{"text", "ab"}, {"times", 0}}).is_error, "bounds are checked");
  check(client.call("repeat", {{"text", ""}, {"times", 1}}).is_error, "an empty text is refused");
  return failures;
}
