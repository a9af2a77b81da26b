// completion/complete (server/utilities/completion).
#include <algorithm>
#include <string>

#include <toolwire/error.hpp>

#include "checks/groups.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::size_t max_values = 100;

JsonObject params_of(const Fixture& fixture, std::string_view value) {
  JsonObject params{{"ref", get(fixture.entry, "ref")},
                    {"argument", {{"name", get(fixture.entry, "argument")}, {"value", value}}}};
  if (const Json& context = get(fixture.entry, "context"); context.is_object())
    params["context"] = {{"arguments", context}};
  return params;
}

Json completed(Probe& probe, std::string_view kind, std::string_view value = "") {
  const Fixture fixture = probe.need(kind);
  const Answer answer = probe.session().request("completion/complete", params_of(fixture, value));
  probe.expect_result(answer, "completion/complete");
  return get(answer.result, "completion");
}

const JsonArray& values_of(Probe& probe, const Json& completion) {
  const JsonArray* values = get(completion, "values").if_array();
  if (values == nullptr) probe.fail("an array \"values\"", shown(completion));
  return *values;
}

void need_completions(const Probe& probe) {
  if (probe.since("2025-03-26")) probe.need_capability("completions");
  if (!probe.since("2025-03-26") && !probe.find("completion:prompt")) probe.skip("the server may have no completion");
}

void capability(Probe& probe) {
  completed(probe, "completion:prompt");
  probe.expect(probe.offer().has("completions"), "\"completions\" among the capabilities",
               shown(Json(probe.offer().capabilities)));
}

void completion_shape(Probe& probe) {
  std::size_t tried = 0;
  for (std::string_view kind : {"completion:prompt", "completion:template"}) {
    if (!probe.find(kind)) continue;
    ++tried;
    const Json completion = completed(probe, kind);
    const JsonArray& values = values_of(probe, completion);
    probe.expect(std::all_of(values.begin(), values.end(), [](const Json& it) { return it.is_string(); }), "strings",
                 shown(completion));
    const Json& total = get(completion, "total");
    const Json& more = get(completion, "hasMore");
    probe.expect(total.is_null() || total.is_int64() || total.is_uint64(), "total, an integer or none",
                 shown(completion));
    probe.expect(more.is_null() || more.is_bool(), "hasMore, a boolean or none", shown(completion));
  }
  if (tried == 0) probe.need("completion:prompt");
}

void at_most_100(Probe& probe) {
  const Json completion = completed(probe, "completion:large");
  const std::size_t count = values_of(probe, completion).size();
  probe.expect(count <= max_values, "at most 100 values", std::to_string(count));
}

void total_consistent(Probe& probe) {
  const Json completion = completed(probe, "completion:large");
  const std::size_t count = values_of(probe, completion).size();
  const Json& total = get(completion, "total");
  if (!total.is_number()) probe.skip("the result has no total");
  const auto all = static_cast<std::size_t>(total.to_number<double>());
  probe.expect(all >= count, "a total of at least " + std::to_string(count), shown(total));
  const Json& more = get(completion, "hasMore");
  if (more.is_bool())
    probe.expect(more.get_bool() == (all > count), "hasMore that agrees with total", shown(completion));
}

void prefix(Probe& probe) {
  const Json all = completed(probe, "completion:prompt");
  const Json few = completed(probe, "completion:prompt", "zzzzzz-no-value-begins-so");
  if (values_of(probe, all) == values_of(probe, few) && !values_of(probe, all).empty())
    probe.info("the values do not depend on what was typed");
}

void context(Probe& probe) { values_of(probe, completed(probe, "completion:context")); }

void unknown_prompt(Probe& probe) {
  need_completions(probe);
  for (const JsonObject& ref : {JsonObject{{"type", "ref/prompt"}, {"name", "no_such_prompt"}},
                                JsonObject{{"type", "ref/resource"}, {"uri", "conformance://nope/{a}"}}}) {
    const Answer answer =
        probe.session().request("completion/complete", {{"ref", ref}, {"argument", {{"name", "a"}, {"value", ""}}}});
    probe.expect_answer(answer, "completion/complete of something unknown");
    if (answer.ok()) probe.warn("error -32602 to the reference " + shown(Json(ref)), shown(answer.result));
    probe.expect_error(answer, {error_code::invalid_params}, "the reference " + shown(Json(ref)));
  }
}

void bad_reference(Probe& probe) {
  need_completions(probe);
  Session& session = probe.session();
  const Json argument = {{"name", "a"}, {"value", ""}};
  probe.expect_error(
      session.request("completion/complete", {{"ref", {{"type", "ref/tool"}, {"name", "x"}}}, {"argument", argument}}),
      {error_code::invalid_params}, "a reference of an unknown type");
  probe.expect_error(session.request("completion/complete", {{"ref", {{"type", "ref/prompt"}, {"name", "x"}}}}),
                     {error_code::invalid_params}, "a request without argument");
  const auto fixture = probe.find("completion:prompt");
  if (!fixture) return;
  JsonObject params = params_of(*fixture, "");
  params["argument"].as_object().erase("value");
  probe.expect_error(session.request("completion/complete", params), {error_code::invalid_params},
                     "an argument that can be completed, without its value");
}

void undeclared(Probe& probe) {
  if (probe.offer().has("completions")) probe.skip("the server declares completions");
  const Answer answer = probe.session().request(
      "completion/complete",
      {{"ref", {{"type", "ref/prompt"}, {"name", "x"}}}, {"argument", {{"name", "a"}, {"value", ""}}}});
  probe.expect_error(answer, {error_code::method_not_found}, "completion/complete, which is not declared,");
}

void ref_resource(Probe& probe) { values_of(probe, completed(probe, "completion:template")); }

}  // namespace

std::span<const Check> completion_checks() {
  static constexpr Check checks[] = {
      {"completion-capability", capability},
      {"completion-shape", completion_shape},
      {"completion-max-100", at_most_100},
      {"completion-total-consistent", total_consistent},
      {"completion-prefix", prefix},
      {"completion-context", context},
      {"completion-unknown-prompt", unknown_prompt},
      {"completion-bad-ref", bad_reference},
      {"completion-undeclared", undeclared},
      {"completion-ref-resource", ref_resource},
  };
  return checks;
}

}  // namespace toolwire::conformance
