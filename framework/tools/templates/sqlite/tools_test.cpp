// A client and the server in one process: what a host would see.
#include "tools.hpp"

#include <toolwire/testing.hpp>

#include "check.hpp"

int main() {
  Database database{":memory:"};
  toolwire::Server server{{.name = "{{NAME}}", .version = "0.1.0"}};
  add_tools(server, database);
  toolwire::testing::Client client{server};

  check(client.list_tools().size() == 3, "there are three tools");
  client.call("add_note", {{"text", "Buy milk"}});
  client.call("add_note", {{"text", "it's ?1; DROP TABLE notes"}});
  check(client.call("find_notes", {{"words", "MILK"}, {"limit", 10}}).text().find("Buy milk") != std::string::npos,
        "a note is found whatever its case");
  check(
      client.call("find_notes", {{"words", "drop table"}, {"limit", 10}}).text().find("it's ?1;") != std::string::npos,
      "a note is a value and no statement");
  const std::string with_zero("first\0last", 10);
  client.call("add_note", {{"text", with_zero}});
  check(client.call("find_notes", {{"words", "last"}, {"limit", 10}}).text().find("first") != std::string::npos,
        "a note is kept to its end");
  check(!client.call("remove_note", {{"id", "1"}}).is_error, "a note is removed");
  check(client.call("remove_note", {{"id", "1"}}).is_error, "a note is removed once");
  return failures;
}
