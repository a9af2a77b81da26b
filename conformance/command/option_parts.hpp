// The options that commands of the program share, as CLI11 declares them and as values.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "command/options.hpp"

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace toolwire::conformance {

/// --color and --no-color, as given.
struct Colours {
  bool always = false, never = false;
};

/// The files of reports, the baseline, and how the report for people looks.
void declare_reports(CLI::App& app, Colours& colours, Options& options);
void take_colours(const Colours& colours, Options& options);

/// What options of seconds take: from 0.05 to `most`.
CLI::Validator seconds_up_to(double most);
std::chrono::milliseconds milliseconds_of(double seconds);

/// NAME=VALUE for the environment of what is started. Throws UsageEnd.
void take_variables(const std::vector<std::string>& variables, Options& options);

/// Throws UsageEnd: help, or what is wrong with the command line.
void parse(CLI::App& app, std::vector<std::string> words);

}  // namespace toolwire::conformance
