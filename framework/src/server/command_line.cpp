#include "toolwire/command_line.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>

#include <toolwire/system/empty_value.hpp>
#include <toolwire/system/nearest_name.hpp>
#include <toolwire/transport.hpp>

#include "server/program.hpp"

namespace toolwire {

/// CLI11's view of the program. The common options are added last, so that --help shows the program's own first.
struct CommandLine::Parser {
  /// Shows operands by names such as "[NAME=]DIR", which newer versions of CLI11 do not take for those of options.
  class HelpText final : public CLI::Formatter {
   public:
    void name(const CLI::Option* operands, const std::string& text) { names_[operands] = text; }
    std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
      const auto named = is_positional ? names_.find(option) : names_.end();
      return named != names_.end() ? named->second : CLI::Formatter::make_option_name(option, is_positional);
    }

   private:
    std::map<const CLI::Option*, std::string> names_;
  };

  explicit Parser(const std::string& summary) : app(summary) { app.formatter(help_text); }

  std::shared_ptr<HelpText> help_text = std::make_shared<HelpText>();
  CLI::App app;
  std::string version;
  bool show_version = false;
  bool list = false;
  bool json = false;
  std::vector<std::string> call;
  std::string trace;
  bool common_added = false;

  void add_common(const std::string& name);
  std::vector<std::string> known() const;
  std::string unexpected(const std::string& argument) const;
  template <class T>
  CLI::Option* add(const std::string& name, const std::string& value_name, const std::string& help, T& into);
  template <class Add>
  auto registered(const std::string& name, Add add_it);
};

namespace {

constexpr auto common_group = "Options of every toolwire program";

/// Whether one of "--name,-n" is an option of every program.
bool is_common(std::string_view names) {
  constexpr std::array<std::string_view, 7> common{"--help", "-h",     "--version", "--list",
                                                   "--call", "--json", "--trace"};
  for (;;) {
    const std::size_t end = std::min(names.find(','), names.size());
    if (std::ranges::find(common, names.substr(0, end)) != common.end()) return true;
    if (end == names.size()) return false;
    names.remove_prefix(end + 1);
  }
}

/// Says when a value was forgotten and the next option stands in its place.
std::string refuse_option_as_value(const std::string& value) {
  return value.starts_with("--") ? "expected a value before " + value : std::string();
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : ", ").append(word);
  return text;
}

/// CLI11 counts what is missing: "--trace: 1 required FILE missing".
std::string missing_value(std::string text) {
  for (const std::string_view part : {" 1 required", " missing"}) {
    if (const std::size_t at = text.find(part); at != std::string::npos) text.erase(at, part.size());
  }
  const std::size_t colon = text.find(':');
  return colon == std::string::npos ? text : text.insert(colon + 1, " expected");
}

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace

template <class Add>
auto CommandLine::Parser::registered(const std::string& name, Add add_it) {
  if (!name.starts_with('-'))
    throw std::invalid_argument("option \"" + name + "\": expected a name that begins with --");
  if (!common_added && is_common(name))
    throw std::invalid_argument("option \"" + name + "\": every program has it already");
  try {
    return add_it();
  } catch (const CLI::ConstructionError& error) {
    throw std::invalid_argument("option \"" + name + "\": " + error.what());
  }
}

template <class T>
CLI::Option* CommandLine::Parser::add(const std::string& name, const std::string& value_name, const std::string& help,
                                      T& into) {
  return registered(name, [&] {
    auto* const option = app.add_option(name, into, help)->option_text(value_name)->type_name(value_name);
    if constexpr (std::is_same_v<T, std::string>)
      option->check(CLI::Validator(system::refuse_empty_value, "", "value"));
    // Else a value such as "[a,b]" would be taken apart, and a list would swallow the arguments behind its first one.
    return option->allow_extra_args(false)->check(CLI::Validator(refuse_option_as_value, "", "option"));
  });
}

void CommandLine::Parser::add_common(const std::string& name) {
  common_added = true;
  app.name(name);
  app.allow_extras();
  help_text->column_width(26);
  help_text->label("OPTIONS", "OPTION...");
  app.set_help_flag("--help,-h", "Print this and leave")->group(common_group);
  const auto common_flag = [this](const char* option, bool& into, const char* help) {
    registered(option, [&] { return app.add_flag(option, into, help)->group(common_group); });
  };
  common_flag("--version", show_version, "Print the version and leave");
  common_flag("--list", list, "Print the tools and their arguments and leave");
  add("--call", "NAME [JSON]",
      "Run one tool with these arguments ({} if not given, - for standard input), print its result", call)
      ->expected(1, 2)
      ->group(common_group);
  common_flag("--json", json, "With --list or --call: print JSON");
  add("--trace", "FILE", "Record the connection in FILE, without secrets (default: $TOOLWIRE_TRACE)", trace)
      ->group(common_group);
}

std::vector<std::string> CommandLine::Parser::known() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_lnames().empty()) names.push_back("--" + option->get_lnames().front());
  }
  return names;
}

std::string CommandLine::Parser::unexpected(const std::string& argument) const {
  if (!argument.starts_with('-')) return "unexpected argument \"" + argument + "\"";
  const std::vector<std::string> names = known();
  const std::string written = argument.substr(0, argument.find('='));
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view near = system::nearest_name(written, views);
  const std::string guess = near.empty() ? std::string() : ", did you mean " + std::string(near) + "?";
  return "unknown option \"" + written + "\"" + guess + " (known: " + joined(names) + ")";
}

CommandLine::CommandLine(std::string name, std::string version, const std::string& summary)
    : name_(std::move(name)),
      parser_(std::make_unique<Parser>(summary)),
      arguments_("{}"),
      trace_(environment("TOOLWIRE_TRACE")) {
  parser_->version = std::move(version);
  parser_->app.set_help_flag();
}

CommandLine::~CommandLine() = default;

void CommandLine::option(const std::string& name, const std::string& value_name, const std::string& help,
                         std::string& into) {
  parser_->add(name, value_name, help, into);
}

void CommandLine::option(const std::string& name, const std::string& value_name, const std::string& help,
                         std::vector<std::string>& into) {
  parser_->add(name, value_name, help, into);
}

void CommandLine::flag(const std::string& name, const std::string& help, bool& into) {
  parser_->registered(name, [&] { return parser_->app.add_flag(name, into, help); });
}

void CommandLine::operands(const std::string& value_name, const std::string& help, std::vector<std::string>& into) {
  if (value_name.empty() || value_name.starts_with('-'))
    throw std::invalid_argument("operands \"" + value_name + "\": expected a name that does not begin with -");
  parser_->help_text->name(parser_->app.add_option("operands", into, help)->option_text(" "), value_name);
}

std::optional<int> CommandLine::mistake(const std::string& text) const {
  std::fprintf(stderr, "%s: %s; see --help\n", name_.c_str(), text.c_str());
  return 2;
}

std::optional<int> CommandLine::parse(int argc, const char* const* argv) {
  parser_->add_common(name_);
  if (const char* const word = system::option_without_value(argc, argv))
    return mistake(std::string(word) + ": expected a value");
  try {
    parser_->app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    release_stdio();
    return server::print(name_, parser_->app.help());
  } catch (const CLI::ArgumentMismatch& error) {
    return mistake(missing_value(error.what()));
  } catch (const CLI::ParseError& error) {
    return mistake(error.what());
  }
  if (const auto rest = parser_->app.remaining(); !rest.empty()) return mistake(parser_->unexpected(rest.front()));
  if (parser_->show_version) {
    release_stdio();
    return server::print(name_, name_ + " " + parser_->version + "\n");
  }
  return take_action();
}

std::optional<int> CommandLine::take_action() {
  const std::vector<std::string>& call = parser_->call;
  if (parser_->list && !call.empty()) return mistake("--list and --call exclude each other");
  if (call.size() > 2) return mistake("--call may be given once");
  if (parser_->json && !parser_->list && call.empty()) return mistake("--json belongs to --list or --call");
  as_json_ = parser_->json;
  if (!parser_->trace.empty()) trace_ = parser_->trace;
  if (parser_->list) action_ = Action::list;
  if (call.empty()) return std::nullopt;
  action_ = Action::call;
  tool_ = call.front();
  if (call.size() == 2) arguments_ = call.back();
  return std::nullopt;
}

}  // namespace toolwire
