// Prompts, resources and completions that nobody named, by what comes back.
#include <algorithm>
#include <optional>
#include <utility>

#include "target/search.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::size_t max_of_a_list = 12;
constexpr std::size_t many_values = 100;  // no completion may have more

/// The first of a list, as many as are tried.
JsonArray first_of(const JsonArray& list) {
  const auto count = static_cast<std::ptrdiff_t>(std::min(list.size(), max_of_a_list));
  return JsonArray(list.begin(), list.begin() + count);
}

const JsonArray& items(const Json& json) {
  static const JsonArray none;
  const JsonArray* array = json.if_array();
  return array != nullptr ? *array : none;
}

bool any_open(const Search& search, std::initializer_list<std::string_view> kinds) {
  return std::ranges::any_of(kinds, [&](std::string_view kind) { return search.is_open(kind); });
}

/// What a prompt needs: values that a completion gave, or a text.
JsonObject arguments_of(Search& search, const Json& prompt) {
  JsonObject schema_like{{"required", JsonArray{}}};
  JsonObject arguments;
  for (const Json& argument : items(get(prompt, "arguments"))) {
    if (get(argument, "required") != Json(true)) continue;
    schema_like["required"].get_array().push_back(get(argument, "name"));
    arguments[text_of(get(argument, "name"))] = "text";
  }
  return search.learned().better(Json(schema_like), arguments).value_or(arguments);
}

void take_prompt(Search& search, const JsonObject& entry, const Json& result) {
  if (!entry.contains("arguments")) search.add("prompt:simple", entry);
  constexpr std::pair<std::string_view, std::string_view> kinds[] = {{"image", "prompt:image"},
                                                                     {"audio", "prompt:audio"},
                                                                     {"resource", "prompt:embedded-resource"},
                                                                     {"resource_link", "prompt:resource-link"}};
  for (const Json& message : items(get(result, "messages"))) {
    const Json& content = get(message, "content");
    for (const auto& [type, kind] : kinds) {
      if (text_of(get(content, "type")) == type && !only_repeats(content, entry)) search.add(kind, entry);
    }
  }
}

/// One whose first argument comes back as it was sent.
void prompt_that_repeats(Search& search, const Json& prompt) {
  const JsonArray& arguments = items(get(prompt, "arguments"));
  if (arguments.empty() || !search.is_open("prompt:args")) return;
  const std::string_view first = text_of(get(arguments.front(), "name"));
  JsonObject sent = arguments_of(search, prompt);
  JsonObject kept = sent;
  sent[first] = marker;
  kept[first] = "<TEXT>";
  const Json result = search.result_of("prompts/get", {{"name", get(prompt, "name")}, {"arguments", sent}});
  const bool repeats = std::ranges::any_of(items(get(result, "messages")), [](const Json& it) {
    return text_of(get(it, "content", "text")).find(marker) != std::string_view::npos;
  });
  if (repeats) search.add("prompt:args", {{"name", get(prompt, "name")}, {"arguments", kept}});
}

/// What a request that asked came to once its questions were answered; null if it never came to an end.
Json end_of_questions(Search& search, std::string_view method, const JsonObject& params, const Json& first) {
  const Rounds rounds = answered_rounds(search, method, params, first);
  return rounds.last.ok() && !asks(rounds.last.result, search) ? rounds.last.result : Json(nullptr);
}

void try_prompt(Search& search, const Json& prompt) {
  JsonObject entry{{"name", get(prompt, "name")}};
  if (JsonObject arguments = arguments_of(search, prompt); !arguments.empty()) entry["arguments"] = arguments;
  search.go_on();
  const std::size_t before = search.session().mark();
  const Answer answer = search.ask("prompts/get", entry);
  if (!answer.ok()) return;
  if (search.was_asked_since(before)) {
    if (!entry.contains("arguments")) search.add("prompt:needs-input", entry);
    return;
  }
  if (!asks(answer.result, search)) return take_prompt(search, entry, answer.result);
  if (!entry.contains("arguments") && !end_of_questions(search, "prompts/get", entry, answer.result).is_null())
    search.add("prompt:needs-input", entry);
}

void take_resource(Search& search, std::string_view uri, const Json& result) {
  const JsonArray& contents = items(get(result, "contents"));
  if (contents.empty()) return;
  // Of several one that looks wrong is the one to judge.
  if (const Json& text = get(contents.front(), "text"); !text.is_string() && !text.is_null())
    search.add_instead("resource:text", {{"uri", uri}});
  if (get(contents.front(), "text").is_string()) search.add("resource:text", {{"uri", uri}});
  if (get(contents.front(), "blob").is_string()) search.add("resource:binary", {{"uri", uri}});
}

void try_resource(Search& search, std::string_view uri) {
  const JsonObject params{{"uri", uri}};
  search.go_on();
  const std::size_t before = search.session().mark();
  const Answer answer = search.ask("resources/read", params);
  if (!answer.ok()) return;
  if (search.was_asked_since(before)) return search.add("resource:needs-input", params);
  if (!asks(answer.result, search)) return take_resource(search, uri, answer.result);
  if (!end_of_questions(search, "resources/read", params, answer.result).is_null())
    search.add("resource:needs-input", params);
}

void subscribable(Search& search) {
  if (search.offer().revision->modern || get(search.offer().capabilities.at("resources"), "subscribe") != Json(true))
    return;
  for (const Json& resource : first_of(search.offer().resources)) {
    if (!search.is_open("resource:subscribable")) return;
    const JsonObject params{{"uri", get(resource, "uri")}};
    if (search.ask("resources/subscribe", params).ok()) search.add("resource:subscribable", params);
  }
}

/// The variable of "scheme://a/{name}/b" if there is exactly one, and it is a plain one.
std::string_view only_variable(std::string_view uri_template) {
  const std::size_t begin = uri_template.find('{');
  const std::size_t end = uri_template.find('}');
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return {};
  if (uri_template.find('{', begin + 1) != std::string_view::npos) return {};
  const std::string_view name = uri_template.substr(begin + 1, end - begin - 1);
  return name.find_first_of("+#./;?&*:,=") == std::string_view::npos ? name : std::string_view();
}

bool is_plain_in_a_uri(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
  });
}

/// Which resources a template has, only a completion of its variable tells.
void try_instance(Search& search, std::string_view uri_template, const Json& value) {
  if (!is_plain_in_a_uri(text_of(value)) || !search.is_open("resource:template")) return;
  std::string uri(uri_template);
  const std::size_t begin = uri.find('{');
  uri.replace(begin, uri.find('}') - begin + 1, text_of(value));
  if (!search.result_of("resources/read", {{"uri", uri}}).is_null())
    search.add("resource:template", {{"uri", uri}, {"template", uri_template}});
}

/// How many values there are, by the largest number that says so.
double size_of(const Json& completion) {
  const Json& total = get(completion, "total");
  const double said = total.is_number() ? total.to_number<double>() : 0;
  return std::max(said, static_cast<double>(items(get(completion, "values")).size()));
}

/// The largest of those that say how many there are, or have as many as may be sent.
void take_large(Search& search, const JsonObject& entry, const Json& completion) {
  const double size = size_of(completion);
  if (!get(completion, "total").is_number() && size < many_values) return;
  if (size > search.largest_completion()) search.add_instead("completion:large", entry);
  search.largest_completion(size);
}

JsonObject completion_params(const JsonObject& entry) {
  JsonObject params{{"ref", entry.at("ref")}, {"argument", {{"name", entry.at("argument")}, {"value", ""}}}};
  if (entry.contains("context")) params["context"] = {{"arguments", entry.at("context")}};
  return params;
}

/// Whether it is an error with the context, and a result without.
bool only_the_context_is_refused(Search& search, const JsonObject& entry) {
  if (!search.ask("completion/complete", completion_params(entry)).is_error()) return false;
  JsonObject without = entry;
  without.erase("context");
  return search.ask("completion/complete", completion_params(without)).ok();
}

Json values_of(Search& search, const JsonObject& entry) {
  const Json completion = get(search.result_of("completion/complete", completion_params(entry)), "completion");
  // Libraries answer with no values where nobody wrote a completion.
  if (items(get(completion, "values")).empty()) return nullptr;
  take_large(search, entry, completion);
  return get(completion, "values");
}

/// Completes an argument. Returns the first value; null if there is none.
Json complete(Search& search, std::string_view kind, const Json& reference, const Json& argument) {
  search.go_on();
  const JsonObject entry{{"ref", reference}, {"argument", argument}};
  const Json values = values_of(search, entry);
  if (values.is_null()) return nullptr;
  search.add(kind, entry);
  search.learned().learn(text_of(argument), items(values).front());
  return items(values).front();
}

/// The second argument of a prompt, once the first has a value.
void complete_in_context(Search& search, const Json& reference, const Json& known, const Json& value,
                         const Json& argument) {
  if (value.is_null() || search.offer().revision->name < "2025-06-18" || !search.is_open("completion:context")) return;
  const JsonObject entry{{"ref", reference}, {"argument", argument}, {"context", {{text_of(known), value}}}};
  if (!values_of(search, entry).is_null() || only_the_context_is_refused(search, entry))
    search.add("completion:context", entry);
}

void complete_prompt(Search& search, const Json& prompt) {
  const Json reference = {{"type", "ref/prompt"}, {"name", get(prompt, "name")}};
  Json known;
  Json value;
  for (const Json& argument : items(get(prompt, "arguments"))) {
    const Json name = get(argument, "name");
    complete_in_context(search, reference, known, value, name);
    known = name;
    value = complete(search, "completion:prompt", reference, name);
  }
}

}  // namespace

void search_prompts(Search& search) {
  const bool is_wanted = any_open(search, {"prompt:simple", "prompt:args", "prompt:image", "prompt:audio",
                                           "prompt:embedded-resource", "prompt:resource-link", "prompt:needs-input"});
  if (!search.offer().has("prompts") || !is_wanted) return;
  for (const Json& prompt : first_of(search.offer().prompts)) {
    try_prompt(search, prompt);
    prompt_that_repeats(search, prompt);
  }
}

void search_resources(Search& search) {
  if (!search.offer().has("resources")) return;
  for (const Json& resource : first_of(search.offer().resources)) {
    search.learned().learn("uri", get(resource, "uri"));
    if (any_open(search, {"resource:text", "resource:binary", "resource:needs-input"}))
      try_resource(search, text_of(get(resource, "uri")));
  }
  if (search.is_open("resource:subscribable")) subscribable(search);
}

/// Before 2025-03-26 nobody declares completions.
void search_completions(Search& search) {
  const bool may_complete = search.offer().has("completions") || search.offer().revision->name < "2025-03-26";
  const bool is_wanted = any_open(search, {"completion:prompt", "completion:template", "completion:context",
                                           "completion:large", "resource:template"});
  if (!may_complete || !is_wanted) return;
  for (const Json& prompt : first_of(search.offer().prompts)) complete_prompt(search, prompt);
  for (const Json& it : first_of(search.offer().templates)) {
    const std::string_view uri_template = text_of(get(it, "uriTemplate"));
    const std::string_view variable = only_variable(uri_template);
    if (variable.empty()) continue;
    const Json reference = {{"type", "ref/resource"}, {"uri", uri_template}};
    try_instance(search, uri_template, complete(search, "completion:template", reference, Json(variable)));
  }
}

}  // namespace toolwire::conformance
