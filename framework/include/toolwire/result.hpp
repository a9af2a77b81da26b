// What a tool call ends with: content, structured content, an error for the model, or questions to the user.
// Independent of revisions: what a client can be sent is decided when the result is written.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "toolwire/convert.hpp"
#include "toolwire/error.hpp"
#include "toolwire/json.hpp"

namespace toolwire {

/// Whom a piece of content is for and how much it matters (specification: server/tools, annotations). Unset members are
/// left out.
struct Annotations {
  std::vector<std::string> audience = {};         // "user", "assistant"
  std::optional<double> priority = {};            // 0 (optional) … 1 (required)
  std::optional<std::string> last_modified = {};  // ISO 8601; sent from 2025-06-18 on
};

struct TextContent {
  std::string text;
};
struct ImageContent {
  std::string bytes;  // raw, not base64
  std::string mime_type;
};
struct AudioContent {
  std::string bytes;  // raw, not base64; becomes a text note before 2025-03-26
  std::string mime_type;
};
struct ResourceLink {
  std::string uri;
  std::string name;
  std::string title = {};
  std::string description = {};
  std::string mime_type = {};
  std::optional<std::uint64_t> size = {};  // bytes
};
struct EmbeddedResource {
  std::string uri;
  std::string contents;  // text, or raw bytes when `binary`
  std::string mime_type = {};
  bool binary = false;
};

/// One item of a result. `verbatim` is for programs that pass on another server's content block unchanged.
struct Content {
  std::variant<TextContent, ImageContent, AudioContent, ResourceLink, EmbeddedResource, Json> item;
  Annotations annotations = {};
};

/// Its text, also of one that another server has written; nothing for blocks of other kinds. It is the block's.
std::optional<std::string_view> text_in(const Content& content);

/// A complete result. A plain value: fill the members or use the makers. Not thread-safe.
struct ToolResult {
  std::vector<Content> content = {};
  std::optional<Json> structured = {};  // sent as structuredContent from 2025-06-18 on, as text before
  bool is_error = false;
  JsonObject meta = {};  // `_meta` of the result

  static ToolResult text(std::string text);
  /// A result with `isError`: the model reads `text` and may try again.
  static ToolResult error(std::string text);
  /// Structured content together with the same JSON as text, as the specification advises (server/tools, structured
  /// content).
  static ToolResult of(Json structured);

  ToolResult& add(Content item);
  ToolResult& add_text(std::string text);
  /// Something for people and programs that the model does not need: elapsed time, a diff, an exit code, the path of
  /// the full output. Goes to `_meta["dev.toolwire/details"]`, never into the text.
  ToolResult& add_detail(std::string_view name, Json value);
};

/// An error result with a code that programs can act on, in `_meta["dev.toolwire/error"] = {code, retryable,
/// retryAfterMs?}`.
ToolResult failure(std::string_view code, std::string text, bool retryable,
                   std::optional<std::int64_t> retry_after_ms = {});

/// The same for work that may have been done, which nobody knows: `{code, retryable: false, outcome: "unknown"}`, or
/// `{code, retryable: true}` of a tool that is declared read-only or idempotent.
ToolResult unknown_outcome(std::string_view code, std::string text);

/// One question to the user or the client: an input request of 2026-07-28, a request of the server before.
struct Question {
  std::string key;     // under which `Context::answer` finds the answer
  std::string method;  // "elicitation/create", for example
  Json params;
  /// The key that clients of 2026-07-28 see in the place of `key`, for programs that pass questions on. Not in a task,
  /// nor if another question that is asked with it has this key.
  std::string shown_key = {};
};

/// The tool needs these answers first; it is called again with them.
struct Questions {
  std::vector<Question> list;
  /// Once a stop is requested on it, nobody needs the answers any more: the tool is called again, and what was still
  /// open counts as cancelled by the user. A client that was asked by a request of the server's own (before 2026-07-28)
  /// is told. One that has to come back by itself (2026-07-28, but for tasks) comes with answers, or does not.
  std::stop_token withdrawn = {};
  /// Adds further questions, which are asked together with these.
  Questions& also(Questions more) &;
  Questions&& also(Questions more) &&;
};

/// The question that `ask<T>` asks, for a schema known only at run time. It must be that of a flat form, see
/// form_schema_of.
Question form_question(std::string key, std::string_view message, Json requested_schema);

/// Asks the user to fill a flat struct of primitives and enumerations. Return it from the tool; nothing blocks.
/// Specification: client/elicitation (form mode). Keys must be unique within a call.
template <class T>
Questions ask(std::string key, std::string_view message) {
  return Questions{{form_question(std::move(key), message, form_schema_of<T>())}};
}

/// How a call ends, before it is written for a revision. A ProtocolError is what a tool has thrown, or would throw if
/// it did not answer later; a middleware never finds one.
using AnyOutcome = std::variant<ToolResult, Questions, ProtocolError>;

/// For tools that return either a T, questions to the user, or a full result: `-> Outcome<std::string>`.
template <class T>
struct Outcome : std::variant<T, Questions, ToolResult> {
  using std::variant<T, Questions, ToolResult>::variant;
  using Value = T;
};

template <class T>
inline constexpr bool is_outcome = false;
template <class T>
inline constexpr bool is_outcome<Outcome<T>> = true;

namespace detail {

// What follows is compiled once, and not in every program for each of its tools.

AnyOutcome outcome_of(ToolResult&& result);
/// An empty result.
AnyOutcome nothing_to_say();
AnyOutcome text_outcome(std::string&& text);
AnyOutcome error_text_outcome(std::string text);
/// An error with a value of this shape as structured content, and as text: itself if it is a text.
AnyOutcome error_outcome_of(const Shape& shape, const void* error);
/// The text of a value of this shape: itself if it is one, else its JSON.
std::string text_of_value(const Shape& shape, const void* value);
/// A value of this shape as structured content.
AnyOutcome structured_outcome(const Shape& shape, const void* value);
/// {"result": value} as structured content; {} if there is none.
AnyOutcome outcome_holding(const Shape& shape, const void* value);
/// The same for a number, a boolean or an enumerator, with the value alone as text.
AnyOutcome scalar_outcome(const Shape& shape, const void* value);
/// The schema of {"result": …}, where `result` may be left out unless `required`.
Json schema_holding(Json schema, bool required);

/// Throws std::logic_error for a null pointer.
std::string text_at(const char* text);
/// A text that is returned.
template <class T>
std::string own_text(const T& text) {
  if constexpr (std::is_convertible_v<const T&, const char*>) {
    return text_at(text);
  } else {
    return std::string(std::string_view(text));
  }
}

template <class T>
inline constexpr bool is_scalar = std::is_arithmetic_v<T> || NamedEnum<T>;

/// std::expected, and what has its functions. An optional has no `error`.
template <class T>
concept ExpectedLike = !Described<T> && requires(T & expected) {
  static_cast<bool>(expected.has_value());
  expected.value();
  expected.error();
};
template <ExpectedLike T>
using ValueOf = std::remove_cvref_t<decltype(std::declval<T&>().value())>;

/// What an error says, in words: itself, what() or message(), the name of an enumerator, the JSON of a struct.
template <class Error>
std::string text_of_error(const Error& error) {
  if constexpr (std::is_convertible_v<const Error&, std::string_view>) {
    return own_text(error);
  } else if constexpr (Described<Error> || Coded<Error>) {
    return text_of_value(ShapeOf<Error>::value, &error);
  } else if constexpr (requires { std::string(error.what()); }) {
    return std::string(error.what());
  } else if constexpr (requires { std::string(error.message()); }) {
    return std::string(error.message());
  } else {
    static_assert(NamedEnum<Error>,
                  "toolwire: the error of an expected is a text, has what() or message(), or is an enum or a struct "
                  "with describe()");
    return text_of_value(ShapeOf<Error>::value, &error);
  }
}

template <class Error>
AnyOutcome error_outcome(const Error& error) {
  if constexpr (std::is_same_v<Error, ProtocolError>) {
    return error;
  } else if constexpr (std::is_same_v<Error, ToolResult>) {
    ToolResult result = error;
    result.is_error = true;
    return outcome_of(std::move(result));
  } else if constexpr (Described<Error> || Coded<Error>) {
    return error_outcome_of(ShapeOf<Error>::value, &error);
  } else {
    return error_text_outcome(text_of_error(error));
  }
}

/// The same for what is no call of a tool, and has no results that are errors.
template <class Error>
ProtocolError protocol_error_of(const Error& error) {
  static_assert(!std::is_same_v<Error, ToolResult>, "toolwire: the error of a prompt or a resource is no ToolResult");
  if constexpr (std::is_same_v<Error, ProtocolError>) {
    return error;
  } else {
    return ProtocolError(error_code::internal_error, text_of_error(error));
  }
}

}  // namespace detail

/// What a tool's return value becomes: text for strings, structured content for everything else, itself for a
/// ToolResult. Values that are no JSON object are wrapped as {"result": …} in structured content; of an empty optional
/// nothing is in there. A std::expected, or what has its functions, is what its value is, or an error result: with the
/// text of an error that is one or has what() or message(); with the JSON of a described one as text and structured.
template <class T>
AnyOutcome to_outcome(T&& value) {
  using Value = std::remove_cvref_t<T>;
  if constexpr (std::is_same_v<Value, AnyOutcome> || std::is_same_v<Value, ToolResult> ||
                std::is_same_v<Value, Questions> || std::is_same_v<Value, ProtocolError>) {
    return AnyOutcome(std::forward<T>(value));
  } else if constexpr (is_outcome<Value>) {
    return std::visit([](auto&& alternative) { return to_outcome(std::forward<decltype(alternative)>(alternative)); },
                      std::forward<T>(value));
  } else if constexpr (detail::ExpectedLike<Value>) {
    if (!value.has_value()) return detail::error_outcome(value.error());
    if constexpr (std::is_void_v<decltype(value.value())>) {
      return detail::nothing_to_say();
    } else {
      return to_outcome(std::forward<T>(value).value());
    }
  } else if constexpr (std::is_same_v<Value, std::string>) {
    return detail::text_outcome(std::string(std::forward<T>(value)));
  } else if constexpr (std::is_convertible_v<Value, std::string_view>) {
    return detail::text_outcome(detail::own_text(value));
  } else if constexpr (detail::is_scalar<Value>) {
    return detail::scalar_outcome(detail::ShapeOf<Value>::value, &value);
  } else if constexpr (Described<Value> || std::is_same_v<Value, Json>) {
    return detail::structured_outcome(detail::ShapeOf<Value>::value, &value);
  } else if constexpr (detail::Content<Value>::is_optional) {
    using Held = std::remove_cvref_t<decltype(*value)>;
    return detail::outcome_holding(detail::ShapeOf<Held>::value, value ? &*value : nullptr);
  } else {
    return detail::outcome_holding(detail::ShapeOf<Value>::value, &value);
  }
}

/// The output schema that belongs to `to_outcome` of a T; null where the result is not structured. It says what the
/// type says: bounds from describe() hold for arguments, and are not looked at when a value is returned.
template <class T>
Json output_schema_of() {
  if constexpr (is_outcome<T>) {
    return output_schema_of<typename T::Value>();
  } else if constexpr (detail::ExpectedLike<T>) {
    return output_schema_of<detail::ValueOf<T>>();
  } else if constexpr (std::is_void_v<T> || std::is_same_v<T, AnyOutcome> || std::is_same_v<T, ToolResult> ||
                       std::is_same_v<T, Questions> || std::is_same_v<T, Json> ||
                       std::is_convertible_v<T, std::string_view>) {
    return nullptr;
  } else if constexpr (Described<T>) {
    return returned_schema_of<T>();
  } else {
    return detail::schema_holding(detail::returned_schema_of(detail::ShapeOf<T>::value),
                                  !detail::Content<T>::is_optional);
  }
}

}  // namespace toolwire
