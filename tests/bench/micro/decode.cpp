// Decoding arguments into a struct, with all checks.
#include <benchmark/benchmark.h>

#include <optional>
#include <string>
#include <vector>

#include <toolwire/convert.hpp>
#include <toolwire/describe.hpp>

#include "samples.hpp"

namespace toolwire::micro {
namespace {

struct Echo {
  std::string text;
  static constexpr auto describe() { return fields(field<&Echo::text>("Text to return")); }
};

struct Search {
  std::string query;
  int limit = 10;
  std::optional<bool> hidden;
  std::vector<std::string> paths;
  static constexpr auto describe() {
    return fields(field<&Search::query>("What to look for").length(1, 1000),
                  field<&Search::limit>("How many results at most").between(1, 100).optional(),
                  field<&Search::hidden>("Hidden files too"),
                  field<&Search::paths>("Where to look").items(0, 20).optional());
  }
};

template <class T>
void decode_into(benchmark::State& state, const Json& json) {
  for ([[maybe_unused]] auto _ : state) {
    T value{};
    Violations violations;
    decode(json, value, "", violations);
    benchmark::DoNotOptimize(value);
    if (!violations.empty()) return state.SkipWithError("the arguments do not fit");
  }
}

void decode_text(benchmark::State& state, std::size_t size) {
  decode_into<Echo>(state, Json(JsonObject{{"text", text_of(Letters::plain, size)}}));
}

BENCHMARK_CAPTURE(decode_text, small, small);
BENCHMARK_CAPTURE(decode_text, large, large);

void decode_members(benchmark::State& state) {
  decode_into<Search>(
      state,
      parse_json(R"({"query":"text","limit":50,"hidden":true,"paths":["src/main","include/toolwire","tests"]})"));
}

BENCHMARK(decode_members);

}  // namespace
}  // namespace toolwire::micro
