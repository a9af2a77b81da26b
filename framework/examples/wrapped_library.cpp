// A class library as tools, without a copy of any of its types: Describe says what the members of a struct are, Codec
// how a class without members is written; its functions are called with the library's own types.
#include <exception>
#include <stdexcept>
#include <string>
#include <toolwire/server.hpp>

#include "warehouse/warehouse.hpp"

using warehouse::Article;
using warehouse::Dimensions;
using warehouse::Price;
using warehouse::Storage;
using warehouse::Warehouse;

template <>
struct toolwire::Describe<Dimensions> {
  static constexpr auto describe() {
    return fields(field<&Dimensions::width>("In centimetres").between(1, 500),
                  field<&Dimensions::height>("In centimetres").between(1, 500));
  }
};

template <>
struct toolwire::Describe<Article> {
  static constexpr auto describe() {
    return fields(field<&Article::name>("What it is called").length(1, 40),
                  field<&Article::storage>("How it is kept").optional(), field<&Article::size>("Of its box"));
  }
};

/// In JSON a number: cents. What the library refuses is told to the caller in its own words.
template <>
struct toolwire::Codec<Price> {
  static long to(const Price& price) { return price.cents(); }
  static Price from(long cents) { return Price::of_cents(cents); }
};

/// What the library throws is what the caller reads; of other exceptions no details are told.
void explain(toolwire::AnyRequest&, toolwire::Context&, toolwire::RequestNext next) {
  next.then([](toolwire::AnyRequestOutcome& outcome) {
    try {
      if (outcome.thrown) std::rethrow_exception(outcome.thrown);
    } catch (const std::out_of_range& unknown) {
      outcome = {toolwire::ToolResult::error(unknown.what()), nullptr};
    } catch (...) {  // stays what it is
    }
  });
}

int main(int argc, char** argv) {
  using namespace toolwire;
  Warehouse house;
  Server server({.name = "warehouse", .version = "1.0.0"}, {.threads = 1});  // one call at a time: it has no locks
  server.around_request(explain);
  server.tool("add", "Put an article in", args("article", "price"),
              [&](const Article& article, Price price) { house.add(article, price); });
  server.tool("find", "Tell what is known of an article", args("name"),
              [&](const std::string& name) { return house.find(name); });
  server.tool("price_of", "Tell what so many cost", args("name", arg("count", "How many").between(1, 1000)),
              [&](const std::string& name, int count) { return house.price_of(name, count); });
  server.tool("kept", "List what is kept in one way", args("storage"),
              [&](Storage storage) { return house.kept(storage); });
  return server.run_stdio(argc, argv);
}
