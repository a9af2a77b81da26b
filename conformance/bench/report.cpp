#include "bench/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace toolwire::bench {
namespace {

constexpr std::size_t label_width = 36;
constexpr std::size_t value_width = 12;
constexpr std::size_t ratio_width = 9;

std::string number(double value) {
  if (value >= 1000 || value == std::floor(value)) return fmt::format("{:.0f}", value);
  if (value >= 100) return fmt::format("{:.1f}", value);
  return fmt::format("{:.2f}", value);
}

std::string value_text(std::optional<double> value) { return value ? number(*value) : "n/a"; }

std::string ratio_text(std::optional<double> value, std::optional<double> raw) {
  if (!value || !raw || *raw == 0) return "-";
  return number(*value / *raw);
}

bool is_raw(const Run& run, const std::string& server) { return server == run.raw || server == run.raw_batched; }

bool has_ratios(const Run& run, const std::string& server) { return !run.raw.empty() && !is_raw(run, server); }

std::size_t column_width(const std::string& server) { return std::max(value_width, server.size() + 2); }

bool has_values(const Run& run, const Results& results, Metric metric) {
  const auto has_value = [&](const std::string& server) { return results.middle(metric, server).has_value(); };
  return std::any_of(run.servers.begin(), run.servers.end(), has_value);
}

std::string heading(const Run& run) {
  std::string line(label_width, ' ');
  for (const auto& server : run.servers) {
    line += fmt::format("{:>{}}", server, column_width(server));
    if (has_ratios(run, server)) line += fmt::format("{:>{}}{:>{}}", "/raw", ratio_width, "/batched", ratio_width);
  }
  return line + "\n";
}

std::string row(const Run& run, const Results& results, const MetricText& text) {
  std::string line = fmt::format("{:<{}}", text.label, label_width);
  const auto raw = results.middle(text.metric, run.raw);
  const auto batched = results.middle(text.metric, run.raw_batched);
  for (const auto& server : run.servers) {
    const auto value = results.middle(text.metric, server);
    line += fmt::format("{:>{}}", value_text(value), column_width(server));
    if (!has_ratios(run, server)) continue;
    line += fmt::format("{:>{}}{:>{}}", ratio_text(value, raw), ratio_width, ratio_text(value, batched), ratio_width);
  }
  return line + "\n";
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out.append(1, '\\').append(1, c);
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + '"';
}

std::string server_values(const Run& run, const Results& results, const MetricText& text) {
  std::string out;
  const auto raw = results.middle(text.metric, run.raw);
  const auto batched = results.middle(text.metric, run.raw_batched);
  for (const auto& server : run.servers) {
    const auto middle = results.middle(text.metric, server);
    out += fmt::format("{}\n      {}: ", out.empty() ? "" : ",", quoted(server));
    if (!middle) {
      out += "null";
      continue;
    }
    const auto ratio = [&](std::optional<double> base) {
      return base && *base != 0 ? fmt::format("{:.6g}", *middle / *base) : std::string("null");
    };
    out += fmt::format("{{\"median\": {:.9g}, \"to_raw\": {}, \"to_batched\": {}, \"rounds\": [{:.9g}]}}", *middle,
                       ratio(raw), ratio(batched), fmt::join(results.all(text.metric, server), ", "));
  }
  return out;
}

}  // namespace

std::string table(const Run& run, const Results& results) {
  std::string out = heading(run);
  for (const auto& text : catalogue())
    if (!run.partial || has_values(run, results, text.metric)) out += row(run, results, text);
  out += fmt::format(
      "\nMedians of {} round{}{}.{}\n", run.rounds, run.rounds == 1 ? "" : "s",
      run.quick ? " (quick: these numbers prove nothing)" : "",
      run.raw.empty() ? "" : " Ratios are value / raw: small is good for times and memory, large for rates.");
  for (const auto& note : results.notes()) out += "Note: " + note + "\n";
  return out;
}

std::string json_report(const Run& run, const Results& results) {
  std::string metrics, notes;
  for (const auto& text : catalogue())
    metrics += fmt::format("{}\n    {}: {{{}\n    }}", metrics.empty() ? "" : ",", quoted(text.key),
                           server_values(run, results, text));
  for (const auto& note : results.notes()) notes += (notes.empty() ? "" : ", ") + quoted(note);
  return fmt::format("{{\n  \"rounds\": {},\n  \"quick\": {},\n  \"metrics\": {{{}\n  }},\n  \"notes\": [{}]\n}}\n",
                     run.rounds, run.quick, metrics, notes);
}

}  // namespace toolwire::bench
