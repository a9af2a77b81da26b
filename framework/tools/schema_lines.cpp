#include "schema_lines.hpp"

#include <algorithm>
#include <chrono>
#include <istream>
#include <ostream>

#include "json/fast.hpp"
#include "json/parse.hpp"

namespace toolwire::schema {
namespace {

constexpr std::int64_t max_repeats = 100'000'000;
constexpr std::int64_t max_compilations = 100;

struct BadRequest : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Request {
  const Json* schema = nullptr;
  const Json* instance = nullptr;
  std::int64_t repeat = 0;
  bool include_parse = false;
  SchemaOptions options;
};

void take_dialect(const Json& name, SchemaOptions& options) {
  if (name == Json("2020-12")) {
    options.default_dialect = SchemaDialect::draft_2020_12;
  } else if (name == Json("draft-07")) {
    options.default_dialect = SchemaDialect::draft_07;
  } else {
    throw BadRequest("\"dialect\": expected \"2020-12\" or \"draft-07\"");
  }
}

Request read_request(const JsonObject& members, const SchemaOptions& options) {
  Request request;
  request.options = options;
  request.schema = members.if_contains("schema");
  request.instance = members.if_contains("instance");
  if (!request.schema) throw BadRequest("\"schema\" is missing");
  if (!request.instance) throw BadRequest("\"instance\" is missing");
  if (const Json* name = members.if_contains("dialect")) take_dialect(*name, request.options);
  if (const Json* repeat = members.if_contains("repeat")) {
    if (!repeat->is_int64() || repeat->get_int64() < 1 || repeat->get_int64() > max_repeats) {
      throw BadRequest("\"repeat\": expected an integer between 1 and " + std::to_string(max_repeats));
    }
    request.repeat = repeat->get_int64();
  }
  if (const Json* flag = members.if_contains("include_parse")) {
    if (!flag->is_bool()) throw BadRequest("\"include_parse\": expected true or false");
    request.include_parse = flag->get_bool();
  }
  return request;
}

/// The mean time of one run in nanoseconds.
template <class Work>
double mean_time(std::int64_t count, Work work) {
  const auto begin = std::chrono::steady_clock::now();
  for (std::int64_t left = count; left > 0; --left) work();
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
  return taken.count() / static_cast<double>(count);
}

// As a server reads arguments: into memory that is given back in one piece.
bool parse_and_validate(const Schema& schema, const std::string& text) {
  const auto parsed = json::parse(text, {}, json::arena_for(text.size()));
  return std::holds_alternative<Json>(parsed) && schema.is_valid(std::get<Json>(parsed));
}

void add_times(const Request& request, const Schema& schema, JsonObject& answer) {
  const std::int64_t compilations = std::clamp<std::int64_t>(request.repeat, 1, max_compilations);
  answer["ns_compile"] = mean_time(compilations, [&] { (void)Schema::compile(*request.schema, request.options); });
  bool fits = false;
  volatile bool seen = false;  // keeps the loops from being optimised away
  answer["ns_per_validation"] = mean_time(request.repeat, [&] { seen = fits = schema.is_valid(*request.instance); });
  if (!request.include_parse) return;
  const std::string text = to_json_text(*request.instance);
  answer["ns_with_parse"] = mean_time(request.repeat, [&] { seen = fits = parse_and_validate(schema, text); });
}

JsonArray describe(const std::vector<SchemaViolation>& violations) {
  JsonArray errors;
  for (const SchemaViolation& violation : violations) {
    errors.push_back(JsonObject{{"instance_path", violation.instance_path},
                                {"path", violation.display_path},
                                {"schema_path", violation.schema_path},
                                {"keyword", violation.keyword},
                                {"message", violation.message},
                                {"text", violation.text()}});
  }
  return errors;
}

void answer_request(const JsonObject& members, const SchemaOptions& options, JsonObject& answer) {
  const Request request = read_request(members, options);
  const Schema schema = Schema::compile(*request.schema, request.options);
  const auto violations = schema.validate(*request.instance);
  answer["valid"] = violations.empty();
  answer["errors"] = describe(violations);
  if (request.repeat != 0) add_times(request, schema, answer);
}

}  // namespace

std::string answer_line(std::string_view line, const SchemaOptions& options) {
  JsonObject answer;
  try {
    const Json request = parse_json(line);
    const auto* members = request.if_object();
    if (!members) throw BadRequest("expected a JSON object a line");
    if (const Json* id = members->if_contains("id")) answer["id"] = *id;
    answer_request(*members, options, answer);
  } catch (const std::exception& error) {
    answer.erase("valid");
    answer.erase("errors");
    answer["error"] = error.what();
  }
  return to_json_text(std::move(answer));
}

void answer_lines(std::istream& in, std::ostream& out, const SchemaOptions& options) {
  for (std::string line; std::getline(in, line);) {
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    out << answer_line(line, options) << '\n' << std::flush;
  }
}

}  // namespace toolwire::schema
