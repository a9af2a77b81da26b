#include "policy/metrics_text.hpp"

#include <fmt/format.h>

namespace toolwire::bridge {
namespace {

/// Exposition format: in a label's value backslash, quote and newline are escaped.
void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (c == '\\' || c == '"') out.push_back('\\');
    if (c == '\n') {
      out.append("\\n");
    } else {
      out.push_back(c);
    }
  }
}

}  // namespace

void DurationHistogram::add(double seconds) {
  ++count;
  sum += seconds;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    if (seconds > bounds[i]) continue;
    ++counts[i];
    return;
  }
}

void append_head(std::string& out, std::string_view name, std::string_view type, std::string_view help) {
  out.append(fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type));
}

void append_sample(std::string& out, std::string_view name, const Labels& labels, double value) {
  out.append(name);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    out.append(i == 0 ? "{" : ",").append(labels[i].first).append("=\"");
    append_escaped(out, labels[i].second);
    out.push_back('"');
  }
  out.append(labels.empty() ? "" : "}").append(fmt::format(" {}\n", value));
}

void append_histogram(std::string& out, std::string_view name, const Labels& labels,
                      const DurationHistogram& histogram) {
  const std::string bucket = std::string(name) + "_bucket";
  std::uint64_t up_to_here = 0;
  for (std::size_t i = 0; i <= DurationHistogram::bounds.size(); ++i) {
    const bool last = i == DurationHistogram::bounds.size();
    up_to_here = last ? histogram.count : up_to_here + histogram.counts[i];
    const std::string bound = last ? "+Inf" : fmt::format("{}", DurationHistogram::bounds[i]);
    Labels with_bound = labels;
    with_bound.emplace_back("le", bound);
    append_sample(out, bucket, with_bound, static_cast<double>(up_to_here));
  }
  append_sample(out, std::string(name) + "_sum", labels, histogram.sum);
  append_sample(out, std::string(name) + "_count", labels, static_cast<double>(histogram.count));
}

}  // namespace toolwire::bridge
