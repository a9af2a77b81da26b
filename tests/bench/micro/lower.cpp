// Turning a tool's result into the members of a result on the wire.
#include <benchmark/benchmark.h>

#include <string>

#include "protocol/revision.hpp"
#include "protocol/tools/lower.hpp"
#include "samples.hpp"

namespace toolwire::micro {
namespace {

void lower(benchmark::State& state, const ToolResult& result, const char* revision_name) {
  const protocol::Revision& revision = *protocol::find_revision(revision_name);
  std::string out;
  for ([[maybe_unused]] auto _ : state) {
    out.clear();
    protocol::append_tool_result(out, revision, result);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(out.size()));
}

void lower_text(benchmark::State& state, std::size_t size, const char* revision_name) {
  lower(state, ToolResult::text(text_of(Letters::plain, size)), revision_name);
}

BENCHMARK_CAPTURE(lower_text, small, small, "2025-06-18");
BENCHMARK_CAPTURE(lower_text, small_modern, small, "2026-07-28");
BENCHMARK_CAPTURE(lower_text, large, large, "2025-06-18");

void lower_structured(benchmark::State& state) {
  ToolResult result = ToolResult::text(R"({"files":["main.cpp","readme"],"total":2})");
  result.structured = parse_json(R"({"files":["main.cpp","readme"],"total":2})");
  lower(state, result, "2025-06-18");
}

BENCHMARK(lower_structured);

}  // namespace
}  // namespace toolwire::micro
