// Parsing a line into a message: JSON, envelope, id.
#include <benchmark/benchmark.h>

#include "json/writer.hpp"
#include "jsonrpc/message.hpp"
#include "samples.hpp"

namespace toolwire::micro {
namespace {

std::string call_line(const std::string& text) {
  std::string line =
      R"({"jsonrpc":"2.0","id":100000000,"method":"tools/call","params":{"name":"echo","arguments":{"text":)";
  json::write_string(line, text);
  return line.append("}}}");
}

void parse(benchmark::State& state, Letters letters, std::size_t size) {
  const std::string line = call_line(text_of(letters, size));
  for ([[maybe_unused]] auto _ : state) {
    auto message = jsonrpc::parse(line, {{128}});
    benchmark::DoNotOptimize(message);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(line.size()));
}

BENCHMARK_CAPTURE(parse, small, Letters::plain, small);
BENCHMARK_CAPTURE(parse, large, Letters::plain, large);
BENCHMARK_CAPTURE(parse, large_escaped, Letters::escaped, large);
BENCHMARK_CAPTURE(parse, large_wide, Letters::wide, large);

}  // namespace
}  // namespace toolwire::micro
