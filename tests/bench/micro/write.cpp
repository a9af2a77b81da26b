// Writing values as JSON text: strings, which are most of what a server writes, and whole values.
#include <benchmark/benchmark.h>

#include "json/writer.hpp"
#include "samples.hpp"

namespace toolwire::micro {
namespace {

void write_string(benchmark::State& state, Letters letters, std::size_t size) {
  const std::string text = text_of(letters, size);
  std::string out;
  for ([[maybe_unused]] auto _ : state) {
    out.clear();
    json::write_string(out, text);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

BENCHMARK_CAPTURE(write_string, small, Letters::plain, small);
BENCHMARK_CAPTURE(write_string, large, Letters::plain, large);
BENCHMARK_CAPTURE(write_string, large_escaped, Letters::escaped, large);
BENCHMARK_CAPTURE(write_string, large_wide, Letters::wide, large);

void write_value(benchmark::State& state) {
  const Json value =
      parse_json(R"({"files":[{"name":"main.cpp","lines":120,"size":4711.5,"open":true,"note":null},)"
                 R"({"name":"readme","lines":8,"size":0.25,"open":false,"note":"two\nlines"}],"total":2})");
  std::string out;
  for ([[maybe_unused]] auto _ : state) {
    out.clear();
    json::write(out, value);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(out.size()));
}

BENCHMARK(write_value);

void write_numbers(benchmark::State& state) {
  std::string out;
  double number = 0.1;
  for ([[maybe_unused]] auto _ : state) {
    out.clear();
    json::write_double(out, number);
    benchmark::DoNotOptimize(out.data());
    number += 0.7;
  }
}

BENCHMARK(write_numbers);

}  // namespace
}  // namespace toolwire::micro
