// What becomes of the arguments of a call, good and bad.
#include <algorithm>
#include <cctype>
#include <limits>
#include <optional>

#include <toolwire/error.hpp>

#include "checks/tools.hpp"
#include "driver/arguments.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::size_t max_misfits = 16;

Answer tools_input_call(Probe& probe, std::string_view name, Json arguments) {
  return probe.session().request("tools/call", {{"name", name}, {"arguments", std::move(arguments)}});
}

bool is_error_result(const Answer& answer) { return answer.ok() && get(answer.result, "isError") == Json(true); }

void unknown_tool(Probe& probe) {
  need_tools(probe);
  const Answer answer = tools_input_call(probe, "no_such_tool_xyz", JsonObject{});
  probe.expect_error(answer, {error_code::invalid_params}, "tools/call of a tool that does not exist");
}

void name_case_sensitive(Probe& probe) {
  const Callable tool = probe.any_tool();
  std::string other = tool.name;
  for (char& c : other) {
    const auto letter = static_cast<unsigned char>(c);
    c = static_cast<char>(std::islower(letter) != 0 ? std::toupper(letter) : std::tolower(letter));
  }
  if (other == tool.name || probe.offer().tool(other) != nullptr) probe.skip("no name differs by case alone");
  const Answer answer = tools_input_call(probe, other, tool.arguments);
  probe.expect_answer(answer, "tools/call of " + other);
  probe.expect(!answer.ok() || is_error_result(answer), "an error: there is no tool " + other, answer.text());
}

void call_malformed(Probe& probe) {
  const Callable tool = probe.any_tool();
  Session& session = probe.session();
  const JsonObject wrong[] = {{{"arguments", JsonObject{}}},
                              {{"name", 5}},
                              {{"name", tool.name}, {"arguments", JsonArray{}}},
                              {{"name", tool.name}, {"arguments", "x"}},
                              {{"name", tool.name}, {"arguments", 3}}};
  for (const JsonObject& params : wrong)
    probe.expect_error(session.request("tools/call", params), {error_code::invalid_params},
                       "tools/call with " + shown(Json(params)));
}

void call_arguments_optional(Probe& probe) {
  const Callable tool = probe.need_tool("tool:no-args");
  const Answer answer = probe.session().request("tools/call", {{"name", tool.name}});
  probe.expect_result(answer, "tools/call without arguments");
  probe.expect(!is_error_result(answer), "success", shown(answer.result));
}

/// Arguments the schema of the tool refuses: one that is required is missing; one of another type.
std::vector<JsonObject> bad_arguments(const Probe& probe, const Callable& tool) {
  const Json* listed = probe.offer().tool(tool.name);
  const JsonArray* required = listed != nullptr ? get(*listed, "inputSchema", "required").if_array() : nullptr;
  if (required == nullptr || required->empty()) probe.skip("the tool " + tool.name + " requires no argument");
  const std::string_view first = text_of(required->front());
  JsonObject missing = tool.arguments;
  missing.erase(first);
  JsonObject mistyped = tool.arguments;
  mistyped[first] = JsonObject{{"not", JsonArray{"what", "was", "asked", "for"}}};
  std::vector<JsonObject> bad{missing};
  if (text_of(get(*listed, "inputSchema", "properties", first, "type")) != "object" &&
      get(*listed, "inputSchema", "properties", first, "type").is_string())
    bad.push_back(mistyped);
  return bad;
}

void input_validation_iserror(Probe& probe) {
  const Callable tool = probe.need_tool("tool:with-required-args");
  for (const JsonObject& arguments : bad_arguments(probe, tool)) {
    const Answer answer = tools_input_call(probe, tool.name, arguments);
    probe.expect_answer(answer, "tools/call with arguments that do not fit");
    const std::string expected = "a result with isError for the arguments " + shown(Json(arguments));
    if (answer.is_error()) probe.warn(expected, answer.text());
    probe.expect(is_error_result(answer), expected, shown(answer.result));
    probe.expect(!text_in(answer.result).empty(), "a text that says what was expected", shown(answer.result));
  }
}

Answer call_with_misfit(Probe& probe, const Callable& tool, const JsonObject& arguments) {
  const Answer answer = tools_input_call(probe, tool.name, arguments);
  return probe.expect_answer(answer, "tools/call with arguments that do not fit");
}

/// A value of another type, as models write them: a number as text.
std::optional<Json> mistyped(const Json& property) {
  const std::string_view type = text_of(get(property, "type"));
  if (type == "number" || type == "integer") return Json("1");
  if (type == "boolean") return Json("true");
  if (type == "string") return Json(1);
  if (type == "array" || type == "object") return Json("text");
  return std::nullopt;
}

/// A value of the right type that the schema rules out, and that does no harm where nobody looks: too small, none of
/// the choices, an empty text.
std::optional<Json> out_of_bounds(const Json& property) {
  const std::string_view type = text_of(get(property, "type"));
  if (type == "string" && get(property, "enum").is_array()) return Json("conformance-no-such-choice");
  if (type == "string" && get(property, "minLength").is_number()) return Json("");
  const Json& least = get(property, "minimum");
  if (type == "integer" && least.is_int64()) return Json(least.get_int64() - 1);
  if ((type == "integer" || type == "number") && least.is_number()) return Json(least.to_number<double>() - 1);
  return std::nullopt;
}

/// What a library takes for a whole number that is none, and for an argument that is not there.
std::optional<Json> nearly(const Json& property) {
  const std::string_view type = text_of(get(property, "type"));
  return type == "integer" ? std::optional<Json>(1.5) : std::nullopt;
}

std::optional<Json> nothing(const Json& property) {
  return get(property, "type").is_string() ? std::optional<Json>(nullptr) : std::nullopt;
}

using Wrong = std::optional<Json> (*)(const Json& property);

bool is_required(const Json& schema, std::string_view property) {
  const JsonArray* required = get(schema, "required").if_array();
  return required != nullptr &&
         std::any_of(required->begin(), required->end(), [&](const Json& it) { return text_of(it) == property; });
}

/// Calls of a tool with one argument that `wrong` makes instead of a fitting one.
void add_misfits(const Json& tool, Wrong wrong, std::vector<Callable>& texts, std::vector<Callable>& others) {
  const Json& schema = get(tool, "inputSchema");
  const JsonObject* properties = get(schema, "properties").if_object();
  const auto fitting = arguments_for(schema);
  if (!fitting || properties == nullptr) return;
  for (const auto& property : *properties) {
    const auto value = wrong(property.value());
    if (!value) continue;
    JsonObject arguments = *fitting;
    // Null for what may be left out is as good as nothing.
    if (value->is_null() && !is_required(schema, property.key())) continue;
    arguments[property.key()] = *value;
    if (may_fit(schema, arguments)) continue;
    (value->is_string() ? texts : others).push_back({std::string(text_of(get(tool, "name"))), arguments});
  }
}

/// Such calls of the tools that may be called: at most `max_misfits`, and those with a text first.
std::vector<Callable> misfits(const Probe& probe, Wrong wrong) {
  std::vector<Callable> texts;
  std::vector<Callable> others;
  for (const Json& tool : probe.offer().tools) {
    if (probe.target().may_call(text_of(get(tool, "name")))) add_misfits(tool, wrong, texts, others);
  }
  texts.insert(texts.end(), others.begin(), others.end());
  texts.resize(std::min(texts.size(), max_misfits));
  return texts;
}

/// Some libraries read "1" where a number is asked for, or leave bounds to the tool: what runs then is not what the
/// schema promises, but near it.
void expect_all_refused(Probe& probe, Wrong wrong, const std::string& what_is_wrong) {
  for (const Callable& call_of : misfits(probe, wrong)) {
    const Answer answer = call_with_misfit(probe, call_of, call_of.arguments);
    if (!answer.is_error() && !is_error_result(answer))
      probe.warn("an error for the arguments " + shown(Json(call_of.arguments)) + " of " + call_of.name +
                     ", one of which is " + what_is_wrong,
                 answer.text());
  }
}

/// A superfluous argument is a smaller fault than a missing one: ignoring it does no harm.
void input_refused(Probe& probe) {
  const Callable tool = probe.need_tool("tool:with-required-args");
  for (const JsonObject& arguments : bad_arguments(probe, tool)) {
    const Answer answer = call_with_misfit(probe, tool, arguments);
    probe.expect(answer.is_error() || is_error_result(answer), "an error for the arguments " + shown(Json(arguments)),
                 answer.text());
  }
  expect_all_refused(probe, mistyped, "of another type than its schema says");
  expect_all_refused(probe, out_of_bounds, "beyond the bounds or choices of its schema");
  expect_all_refused(probe, nearly, "a fraction where its schema asks for a whole number");
  expect_all_refused(probe, nothing, "null, which its schema does not take");
  if (get(*probe.offer().tool(tool.name), "inputSchema", "additionalProperties") != Json(false)) return;
  JsonObject more = tool.arguments;
  more["conformance_unknown_argument"] = 1;
  const Answer answer = call_with_misfit(probe, tool, more);
  if (!answer.is_error() && !is_error_result(answer))
    probe.warn("an error for the arguments " + shown(Json(more)) + ", which the schema forbids", answer.text());
}

/// What a tool does with its arguments is its own business, unless it is said to give back what it gets: one that was
/// found by looking may refuse a text, cut it, or give it in another form.
void arg_unicode_fidelity(Probe& probe) {
  const bool found = probe.need("tool:echo").by_looking;
  std::vector<std::string> texts{std::string("nul \0 in it", 11), R"(quotes " and \ backslashes \\)",
                                 "astral \U0001F600 and combining e\u0301", std::string(100'000, 'x') + "end"};
  if (!found) texts.insert(texts.end(), {"  spaces around  ", "a line\r\nand\tanother\n", "<b> &amp; %41+%20"});
  for (const std::string& text : texts) {
    const Callable echo = probe.need_tool("tool:echo", "TEXT", Json(text));
    const Answer answer = probe.session().request("tools/call", echo.params());
    if (found && (answer.is_error() || is_error_result(answer))) continue;
    probe.expect_result(answer, "tools/call of " + echo.name);
    if (text_in(answer.result).find(text) != std::string::npos) continue;
    const std::string expected = "the same text: " + to_json_text(Json(text.substr(0, 60)));
    if (found)
      probe.warn(
          expected + ", unless " + echo.name + R"( is meant to change it (then say "tool:echo": null in a profile))",
          shown(answer.result));
    probe.fail(expected, shown(answer.result));
  }
}

/// The value in the result: structured content, or the text as JSON.
Json value_echoed(const Json& result) {
  const Json& structured = get(result, "structuredContent");
  if (!structured.is_null()) return get(structured, "value").is_null() ? structured : get(structured, "value");
  try {
    const Json parsed = parse_json(text_in(result));
    return get(parsed, "value").is_null() ? parsed : get(parsed, "value");
  } catch (const JsonError&) {
    return text_in(result).c_str();
  }
}

void arg_number_fidelity(Probe& probe) {
  for (const Json& number : {Json(std::int64_t{9007199254740991}), Json(-42), Json(0.1), Json(1e-7)}) {
    const Callable echo = probe.need_tool("tool:echo-json", "JSON", number);
    const Answer answer = probe.session().request("tools/call", echo.params());
    probe.expect_result(answer, "tools/call of " + echo.name);
    const Json back = value_echoed(answer.result);
    probe.expect(back.is_number() && back.to_number<double>() == number.to_number<double>(), to_json_text(number),
                 shown(back));
  }
}

}  // namespace

std::span<const Check> tools_input_checks() {
  static constexpr Check checks[] = {
      {"tools-unknown-tool", unknown_tool},
      {"tools-name-case-sensitive", name_case_sensitive},
      {"tools-call-malformed", call_malformed},
      {"tools-call-arguments-optional", call_arguments_optional},
      {"tools-input-validation-iserror", input_validation_iserror},
      {"tools-input-validated", input_refused},
      {"tools-input-validation-early", input_refused},
      {"tools-arg-unicode-fidelity", arg_unicode_fidelity},
      {"tools-arg-number-fidelity", arg_number_fidelity},
  };
  return checks;
}

}  // namespace toolwire::conformance
