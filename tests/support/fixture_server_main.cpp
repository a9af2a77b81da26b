// The fixture server as a program: `fixture_server [OPTIONS as JSON]`, see FixtureOptions. Other arguments are those of
// a program that has more to do than to serve.
#include <cstdio>
#include <exception>

#include "fixture_server.hpp"

int main(int argc, char** argv) {
  try {
    toolwire::Json options =
        argc > 1 && argv[1][0] == '{' ? toolwire::parse_json(argv[1]) : toolwire::Json(toolwire::JsonObject{});
    return toolwire_test::make_fixture_server(toolwire_test::FixtureOptions::from(options.as_object()))->run_stdio();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fixture_server: %s\n", error.what());
    return 2;
  }
}
