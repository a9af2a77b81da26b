#include "commands/command_arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>
#include <toolwire/system/empty_value.hpp>

namespace toolwire::bridge {

struct CommandArguments::Parser {
  Parser(const std::string& command, const std::string& summary) : app(summary, "toolwire-bridge " + command) {}

  int exit(const CLI::ParseError& error) const { return app.exit(error) == 0 ? 0 : 2; }

  CLI::App app;
  CLI::App* described = &app;  ///< Or its second word.
};

namespace {

CLI::Validator some_value() { return {system::refuse_empty_value, "", "value"}; }

}  // namespace

CommandArguments::CommandArguments(const std::string& command, const std::string& summary)
    : parser_(std::make_unique<Parser>(command, summary)) {}

CommandArguments::~CommandArguments() = default;

void CommandArguments::option(const std::string& name, std::string& into, const std::string& help) {
  parser_->described->add_option(name, into, help)->check(some_value());
}

void CommandArguments::option(const std::string& name, std::vector<std::string>& into, const std::string& help) {
  parser_->described->add_option(name, into, help);
}

void CommandArguments::required(const std::string& name, std::string& into, const std::string& help) {
  parser_->described->add_option(name, into, help)->required()->check(some_value());
}

void CommandArguments::required(const std::string& name, std::vector<std::string>& into, const std::string& help) {
  parser_->described->add_option(name, into, help)->required();
}

void CommandArguments::required_rest(const std::string& name, std::vector<std::string>& into, const std::string& help) {
  required(name, into, help);
  parser_->described->positionals_at_end();
}

void CommandArguments::flag(const std::string& name, bool& into, const std::string& help) {
  parser_->described->add_flag(name, into, help);
}

void CommandArguments::one_of(const std::string& group, const std::vector<Flag>& flags) {
  auto* const options = parser_->described->add_option_group(group);
  for (const Flag& flag : flags) options->add_flag(flag.name, flag.into, flag.help);
  options->require_option(1);
}

void CommandArguments::second_word(const std::string& name, const std::string& summary) {
  parser_->app.require_subcommand(1);
  parser_->described = parser_->app.add_subcommand(name, summary);
}

void CommandArguments::footer(const std::string& text) { parser_->app.footer(text); }

std::optional<int> CommandArguments::parse(int argc, const char* const* argv) {
  if (const char* const word = system::option_without_value(argc, argv))
    return missing(std::string(word) + ": a value");
  try {
    parser_->app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return parser_->exit(error);
  }
  return std::nullopt;
}

std::optional<int> CommandArguments::parse(int argc, const char* const* argv, std::vector<std::string>& behind) {
  const char* const* const end = argv + argc;
  const char* const* const dashes = std::find(argv, end, std::string_view("--"));
  if (dashes != end) behind.assign(dashes + 1, end);
  return parse(static_cast<int>(dashes - argv), argv);
}

int CommandArguments::missing(const std::string& what) { return parser_->exit(CLI::RequiredError(what)); }

}  // namespace toolwire::bridge
