// Validating arguments against a schema known only at run time, and compiling such a schema.
#include <benchmark/benchmark.h>

#include <toolwire/schema.hpp>

namespace toolwire::micro {
namespace {

Json search_schema() {
  return parse_json(R"({"type":"object","properties":{"query":{"type":"string","minLength":1,"maxLength":1000},)"
                    R"("limit":{"type":"integer","minimum":1,"maximum":100},"order":{"enum":["name","size","date"]},)"
                    R"("paths":{"type":"array","items":{"type":"string","pattern":"^[a-z/]+$"},"maxItems":20}},)"
                    R"("required":["query"],"additionalProperties":false})");
}

void validate(benchmark::State& state, const char* arguments, bool fits) {
  const Schema schema = Schema::compile(search_schema());
  const Json value = parse_json(arguments);
  if (schema.is_valid(value) != fits) return state.SkipWithError("the schema decides otherwise");
  for ([[maybe_unused]] auto _ : state) {
    bool valid = schema.is_valid(value);
    benchmark::DoNotOptimize(valid);
  }
}

BENCHMARK_CAPTURE(validate, one_member, R"({"query":"sixty-four bytes of plain text"})", true);
BENCHMARK_CAPTURE(validate, all_members,
                  R"({"query":"text","limit":50,"order":"size","paths":["src/main","include/toolwire","tests"]})",
                  true);
BENCHMARK_CAPTURE(validate, refused, R"({"query":"text","limit":500})", false);

void explain(benchmark::State& state) {
  const Schema schema = Schema::compile(search_schema());
  const Json value = parse_json(R"({"query":"text","limit":500,"colour":"red"})");
  for ([[maybe_unused]] auto _ : state) {
    auto violations = schema.validate(value);
    benchmark::DoNotOptimize(violations);
  }
}

BENCHMARK(explain);

void compile(benchmark::State& state) {
  const Json schema = search_schema();
  for ([[maybe_unused]] auto _ : state) {
    Schema compiled = Schema::compile(schema);
    benchmark::DoNotOptimize(compiled);
  }
}

BENCHMARK(compile);

}  // namespace
}  // namespace toolwire::micro
