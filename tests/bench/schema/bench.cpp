// Measures this library's validator and valijson on the cases of cases.mjs; compare.mjs runs it and adds Ajv.
// usage: toolwire-bench-schema CASES [MILLISECONDS]: prints one JSON object a line.
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>

#include "json/fast.hpp"
#include "json/parse.hpp"
#include "toolwire/schema.hpp"
#include "valijson_side.hpp"

namespace {

using toolwire::Json;
using toolwire::Schema;
using Clock = std::chrono::steady_clock;

constexpr int rounds = 5;

/// The best mean of some rounds, in nanoseconds: what the machine's other work disturbed least.
template <class Work>
double best_time(double milliseconds, Work work) {
  using Nanoseconds = std::chrono::duration<double, std::nano>;
  std::int64_t count = 1;
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds;) {
    const auto begin = Clock::now();
    for (std::int64_t left = count; left > 0; --left) work();
    const double taken = Nanoseconds(Clock::now() - begin).count();
    if (taken < milliseconds * 1e6 / rounds && count < (std::int64_t{1} << 40)) {
      count *= 2;
      continue;
    }
    best = std::min(best, taken / static_cast<double>(count));
    ++round;
  }
  return best;
}

volatile bool seen = false;

bool parse_and_validate(const Schema& schema, const std::string& text) {
  const auto parsed = toolwire::json::parse(text, {}, toolwire::json::arena_for(text.size()));
  return std::holds_alternative<Json>(parsed) && schema.is_valid(std::get<Json>(parsed));
}

bool left_out(const Json& one, std::string_view who) {
  const Json* names = one.as_object().if_contains("not_for");
  if (!names) return false;
  for (const Json& name : names->as_array()) {
    if (name.as_string() == boost::json::string_view(who.data(), who.size())) return true;
  }
  return false;
}

toolwire::JsonObject measure(const Json& one, double milliseconds) {
  toolwire::JsonObject result{{"name", one.at("name")}};
  const Schema schema = Schema::compile(one.at("schema"));
  result["compile"] = best_time(milliseconds, [&] { (void)Schema::compile(one.at("schema")); });
  const bool with_valijson = !left_out(one, "valijson");
  const ValijsonSchema theirs(one.at("schema"));
  for (const char* which : {"good", "bad"}) {
    const Json& instance = one.at(which);
    const bool expected = which[0] == 'g';
    if (schema.is_valid(instance) != expected)
      throw std::runtime_error("toolwire is wrong about " + std::string(which));
    result[which] = best_time(milliseconds, [&] { seen = schema.is_valid(instance); });
    const std::string text = toolwire::to_json_text(instance);
    result[std::string(which) + "_parsed"] = best_time(milliseconds, [&] { seen = parse_and_validate(schema, text); });
    if (!with_valijson) continue;
    if (theirs.is_valid(instance) != expected)
      throw std::runtime_error("valijson is wrong about " + std::string(which));
    result[std::string(which) + "_valijson"] = best_time(milliseconds, [&] { seen = theirs.is_valid(instance); });
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: toolwire-bench-schema CASES [MILLISECONDS]\n";
    return 2;
  }
  try {
    std::ifstream file(argv[1]);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const double milliseconds = argc > 2 ? std::atof(argv[2]) : 200;
    const Json cases = toolwire::parse_json(text);
    for (const Json& one : cases.as_array()) {
      try {
        std::cout << toolwire::to_json_text(measure(one, milliseconds)) << '\n' << std::flush;
      } catch (const std::exception& error) {
        std::cerr << one.at("name").as_string() << ": " << error.what() << '\n';
        return 1;
      }
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
