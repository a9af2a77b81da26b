// What a question to the client must look like, in either era: an input request of 2026-07-28, or a request of the
// server's own before. Returns the problem, if any.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/json.hpp>

namespace toolwire::conformance {

using Complaint = std::optional<std::string>;  // what was expected

/// elicitation/create in form mode: a message and a flat schema of primitives.
Complaint judge_form(const Json& params);
/// In url mode; `needs_id`: elicitationId belongs to it (2025-11-25).
Complaint judge_url(const Json& params, bool needs_id);
/// Names, titles and formats that ask for passwords, keys or tokens.
Complaint judge_secrets(const Json& params);
/// Links in texts of a form.
Complaint judge_links(const Json& params);
/// A page that is not https, or a URL that carries credentials.
Complaint judge_url_safety(const Json& params);
/// Defaults of the type of their property; enumerations in one of the forms the revision has.
Complaint judge_defaults(const Json& params);
Complaint judge_enums(const Json& params);
/// sampling/createMessage: messages with roles and contents, maxTokens.
Complaint judge_sampling(const Json& params);
Complaint judge_sampling_context(const Json& params, bool declared);
/// A message with tool results has nothing else, and answers every tool use before it.
Complaint judge_tool_results(const Json& params);

bool is_url_mode(const Json& params);

/// Kinds of tools, beside `askers`, that are called to see what they ask of a client: these have nothing to ask.
std::vector<std::string_view> with_those_that_ask_nothing(std::vector<std::string_view> askers);

}  // namespace toolwire::conformance
