// toolwire-schema: validates JSON files, answers lines, lints the schema of a tool.
// Exit: 0 all fit, 1 something does not, 2 a schema, file or option is wrong.
#include <CLI/CLI.hpp>
#include <iostream>
#include <toolwire/system/empty_value.hpp>

#include "schema_files.hpp"
#include "schema_lines.hpp"

namespace {

struct Arguments {
  std::string schema;
  std::vector<std::string> instances;
  std::vector<std::string> documents;
  std::string dialect = "2020-12";
  bool lines = false, lint = false, formats = false, annotate = false;
};

void add_options(CLI::App& app, Arguments& arguments) {
  app.add_option("SCHEMA", arguments.schema, "File with the schema; - is standard input");
  app.add_option("INSTANCE", arguments.instances, "Files to validate");
  app.add_flag("--lines", arguments.lines, "Answer JSON requests from standard input, one a line");
  app.add_flag("--lint", arguments.lint, "Print which hosts refuse SCHEMA as the input schema of a tool");
  app.add_option("--dialect", arguments.dialect, "Used when the schema has no $schema")
      ->check(CLI::IsMember({"2020-12", "draft-07"}))
      ->capture_default_str();
  app.add_flag("--formats", arguments.formats, "Let \"format\" refuse values instead of only describing them");
  app.add_flag("--annotate-patterns", arguments.annotate, "Leave out patterns that cannot run in linear time");
  app.add_option("--document", arguments.documents,
                 "URI=FILE: a document that references may lead to; nothing is fetched");
}

toolwire::SchemaOptions schema_options(const Arguments& arguments) {
  toolwire::SchemaOptions options;
  if (arguments.dialect == "draft-07") options.default_dialect = toolwire::SchemaDialect::draft_07;
  options.assert_formats = arguments.formats;
  if (arguments.annotate) options.unsupported_pattern = toolwire::UnsupportedPattern::annotate;
  for (const std::string& document : arguments.documents) {
    const auto equals = document.rfind('=');
    if (equals == document.npos) throw CLI::ValidationError("--document", "expected URI=FILE, got " + document);
    options.documents.insert_or_assign(document.substr(0, equals),
                                       toolwire::schema::read_json_file(document.substr(equals + 1)));
  }
  return options;
}

int run(const Arguments& arguments) {
  const toolwire::SchemaOptions options = schema_options(arguments);
  if (arguments.lines) {
    toolwire::schema::answer_lines(std::cin, std::cout, options);
    return 0;
  }
  if (arguments.schema.empty()) throw CLI::RequiredError("SCHEMA");
  if (arguments.lint) return toolwire::schema::lint_file(arguments.schema) ? 0 : 1;
  return toolwire::schema::check_files(arguments.schema, arguments.instances, options) ? 0 : 1;
}

int parse_and_run(int argc, char** argv) {
  CLI::App app("Validates JSON against JSON Schema 2020-12 and draft-07", "toolwire-schema");
  app.set_version_flag("--version", "toolwire-schema " TOOLWIRE_VERSION);
  Arguments arguments;
  try {
    add_options(app, arguments);
    if (const std::string problem = toolwire::system::refuse_empty_words({argv + 1, argv + argc}); !problem.empty())
      throw CLI::ParseError(problem, CLI::ExitCodes::ValidationError);
    app.parse(argc, argv);
    return run(arguments);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? 0 : 2;
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "toolwire-schema: " << error.what() << '\n';
    return 2;
  }
}
