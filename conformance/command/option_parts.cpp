#include "command/option_parts.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <sstream>
#include <system_error>

#include <toolwire/system/empty_value.hpp>
#include <toolwire/system/file_text.hpp>

#include "report/safe_text.hpp"

namespace toolwire::conformance {
namespace {

std::string help_of(CLI::App& app, const CLI::ParseError& error, int& status) {
  std::ostringstream out;
  std::ostringstream problem;
  status = app.exit(error, out, problem) == 0 ? 0 : 2;
  return status == 0 ? out.str() : problem.str();
}

}  // namespace

void declare_reports(CLI::App& app, Colours& colours, Options& options) {
  app.add_option("--json", options.files.json, "Write the report as JSON; - for standard output");
  app.add_option("--junit", options.files.junit, "Write the report as JUnit XML");
  app.add_option("--html", options.files.html, "Write the report as one HTML page");
  app.add_option("--sarif", options.files.sarif, "Write the failures as SARIF, for code scanning");
  app.add_flag("--github", options.github,
               "Annotations for GitHub Actions, and a summary of the step where GITHUB_STEP_SUMMARY names its file");
  app.add_option("--badge", options.files.badge, "Write a badge: Markdown, or a picture where the name ends in .svg");
  app.add_option("--baseline", options.baseline, "JSON file of known failures, which are no failures of the run");
  app.add_flag("--write-baseline", options.write_baseline, "Write what fails now to the file of --baseline");
  app.add_flag("--strict", options.strict, "A warning is a failure too");
  app.add_flag("--verbose,-v", options.verbose, "Show every finding with its reason, not only failures");
  app.add_flag("--color", colours.always, "Colour, also where the output is no terminal");
  app.add_flag("--no-color", colours.never, "No colour (also: NO_COLOR in the environment)");
}

void take_colours(const Colours& colours, Options& options) {
  if (colours.always) options.colour = Options::Colour::always;
  if (colours.never) options.colour = Options::Colour::never;
}

/// By hand: CLI::Range takes "nan", which is no number of the range.
CLI::Validator seconds_up_to(double most) {
  return CLI::Validator(
      [most](const std::string& text) -> std::string {
        double seconds = 0;
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, seconds);
        if (error == std::errc() && stop == end && seconds >= 0.05 && seconds <= most) return "";
        return fmt::format("expected seconds from 0.05 to {}, found \"{}\"", most, text);
      },
      fmt::format("FLOAT in [0.05 - {}]", most), "");
}

std::chrono::milliseconds milliseconds_of(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

void take_variables(const std::vector<std::string>& variables, Options& options) {
  for (const std::string& text : variables) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos)
      throw UsageEnd(2, "--env: expected NAME=VALUE, found \"" + text + "\"");
    const std::string name = text.substr(0, equals);
    options.target.launch.environment[name] = text.substr(equals + 1);
    // The value may be a secret, and reports are published.
    options.repeat_options.push_back("--env " + shell_word(name) + "=\"$" + name + "\"");
  }
}

void parse(CLI::App& app, std::vector<std::string> words) {
  if (const std::string problem = system::refuse_empty_words(words); !problem.empty()) throw UsageEnd(2, problem);
  try {
    std::reverse(words.begin(), words.end());  // as CLI11 wants it
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    int status = 0;
    const std::string text = help_of(app, error, status);
    throw UsageEnd(status, text);
  }
}

Json read_json_file(const std::string& file, const std::string& option) {
  try {
    return parse_json(system::text_of_file(file), {.duplicate_keys = DuplicateKeys::refuse});
  } catch (const std::system_error& error) {
    throw UsageEnd(2, option + ": " + error.what());
  } catch (const JsonError& error) {
    throw UsageEnd(2, option + ": " + file + " is no JSON: " + error.what());
  }
}

}  // namespace toolwire::conformance
