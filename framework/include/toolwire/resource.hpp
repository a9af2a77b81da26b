// Resources: what a server lets clients read, each under a URI, or many under a URI template. `make_resource` and
// `make_resource_template` are where a user's types enter. Independent of the wire and revisions.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "toolwire/completion.hpp"
#include "toolwire/context.hpp"
#include "toolwire/detail/handler_checks.hpp"
#include "toolwire/detail/invoke.hpp"
#include "toolwire/reply.hpp"
#include "toolwire/result.hpp"
#include "toolwire/tool.hpp"

namespace toolwire {

/// Thrown by a function that reads a resource which is not there: -32602 in 2026-07-28, -32002 before
/// (server/resources, error handling).
struct ResourceNotFound : std::runtime_error {
  explicit ResourceNotFound(const std::string& why = "Resource not found") : std::runtime_error(why) {}
};

/// The description of a resource (specification: server/resources), and how it is read. Members that are empty are not
/// sent.
struct ResourceInfo {
  std::string uri = {};   // absolute (RFC 3986)
  std::string name = {};  // the last segment of the URI if empty
  std::string title = {};
  std::string description = {};
  std::string mime_type = {};
  std::optional<std::uint64_t> size = {};  // bytes, before base64
  Annotations annotations = {};
  std::vector<Icon> icons = {};
  JsonObject meta = {};                      // `_meta`
  bool subscribable = false;                 // Server::resource_updated is called when it changes
  std::chrono::milliseconds timeout = {};    // of one reading; zero: none
  std::chrono::milliseconds fresh_for = {};  // caching hint of what is read; zero: read it again each time
  bool same_for_everyone = false;            // caching hint: a shared cache may keep it
  Visible visible = {};                      // for whom it is there; empty: for everybody
  std::vector<std::string> scopes = {};      // that who reads or watches it needs, as ToolInfo::scopes
};

/// What a template's lister returns: one page of the resources that exist now, and where the next page begins.
struct ResourcePage {
  std::vector<ResourceInfo> resources = {};  // only members that resources/list sends are used
  std::string next = {};                     // given to the lister as `from` for the next page; empty: the last
};

/// Lists the resources that exist under a template. `from` is empty or a `next` it gave before, perhaps in another
/// process. Throws ResourceNotFound for a cursor that is no longer valid.
using ResourceLister = std::function<ResourcePage(const std::string& from)>;

/// The description of a family of resources whose URIs fit a template, and how they are read.
struct ResourceTemplateInfo {
  std::string uri_template = {};  // RFC 6570 up to level 3: {x}, {x,y}, {+path}, {/a,b}, {?q,limit}, {&more}, {#part} …
  std::string name = {};
  std::string title = {};
  std::string description = {};
  std::string mime_type = {};
  Annotations annotations = {};
  std::vector<Icon> icons = {};
  JsonObject meta = {};
  Completers complete = {};  // suggestions by parameter; enumerations and booleans have theirs
  ResourceLister list = {};  // what it lists is part of resources/list, see Limits::listed_resources
  bool subscribable = false;
  bool dot_segments = false;  // whether a parameter may have ".." among its segments; else such a URI is not found
  std::chrono::milliseconds timeout = {};
  std::chrono::milliseconds fresh_for = {};
  bool same_for_everyone = false;
  Visible visible = {};                  // for whom it, and what it lists, is there; empty: for everybody
  std::vector<std::string> scopes = {};  // as ResourceInfo::scopes
};

/// One piece of what was read: make it with `text` or `bytes`.
struct ResourceContents {
  std::string uri = {};        // that of the request if empty
  std::string contents = {};   // text, or raw bytes when `binary`
  std::string mime_type = {};  // that of the resource or template if empty
  bool binary = false;
  JsonObject meta = {};

  static ResourceContents text(std::string text, std::string mime_type = {});
  static ResourceContents bytes(std::string bytes, std::string mime_type = {});
};

/// All that was read: usually one piece; several for a folder, say.
struct ResourceResult {
  std::vector<ResourceContents> contents = {};
  JsonObject meta = {};  // `_meta` of the result
};

/// How a reading ends, before it is written for a revision: what was read, questions to ask first, or an error.
using ResourceOutcome = std::variant<ResourceResult, Questions, ProtocolError>;

/// What is to be read.
struct ResourceRequest {
  std::string uri;
  Json parameters;  // of a template: an object of strings, decoded; those that were left out are missing
};

/// The texts, images, audio and embedded resources in a tool's result as pieces of a resource; a result that has
/// `is_error` as an error.
ResourceOutcome outcome_of_result(ToolResult&& result);

namespace detail {

// Compiled once, and not in every program for each of its resources.

ResourceOutcome resource_outcome_of(ResourceContents&& contents);
ResourceOutcome resource_outcome_of(std::vector<ResourceContents>&& contents);
ResourceOutcome resource_outcome_of(std::string&& text);
/// JSON text of a value of this shape.
ResourceOutcome resource_outcome_of(const Shape& shape, const void* value);

template <class Error>
ProtocolError reading_error_of(const Error& error) {
  if constexpr (std::is_convertible_v<const Error&, const ResourceNotFound&>) {
    return ProtocolError(error_code::resource_not_found, error.what());
  } else {
    return protocol_error_of(error);
  }
}

}  // namespace detail

/// What the return value of a function that reads becomes: text for strings, JSON text for described structs and Json,
/// itself for ResourceContents (one or several), ResourceResult and Questions. A std::expected, or what has its
/// functions, is what its value is, or an error with the text of the error; a ResourceNotFound is as if it was thrown.
template <class T>
ResourceOutcome to_resource_outcome(T&& value) {
  using Value = std::remove_cvref_t<T>;
  if constexpr (std::is_same_v<Value, ResourceOutcome> || std::is_same_v<Value, ResourceResult> ||
                std::is_same_v<Value, Questions> || std::is_same_v<Value, ProtocolError>) {
    return ResourceOutcome(std::forward<T>(value));
  } else if constexpr (is_outcome<Value>) {
    return std::visit([](auto&& one) { return to_resource_outcome(std::forward<decltype(one)>(one)); },
                      std::forward<T>(value));
  } else if constexpr (detail::ExpectedLike<Value>) {
    if (!value.has_value()) return detail::reading_error_of(value.error());
    return to_resource_outcome(std::forward<T>(value).value());
  } else if constexpr (std::is_same_v<Value, ToolResult>) {
    return outcome_of_result(ToolResult(std::forward<T>(value)));
  } else if constexpr (std::is_same_v<Value, ResourceContents> ||
                       std::is_same_v<Value, std::vector<ResourceContents>>) {
    return detail::resource_outcome_of(Value(std::forward<T>(value)));
  } else if constexpr (std::is_convertible_v<Value, std::string>) {
    return detail::resource_outcome_of(static_cast<std::string>(std::forward<T>(value)));
  } else {
    return detail::resource_outcome_of(detail::ShapeOf<Value>::value, &value);
  }
}

template <>
struct detail::ReplyTraits<ResourceOutcome> {
  template <class T>
  static ResourceOutcome outcome_of(T&& value) {
    return to_resource_outcome(std::forward<T>(value));
  }
  static ResourceOutcome error(const std::string& text);
  static ResourceOutcome dropped();
};

/// The handle of a reading that is answered later.
using ResourceReply = BasicReply<ResourceOutcome>;
extern template class BasicReply<ResourceOutcome>;

using ResourceHandler = std::function<ResourceOutcome(const ResourceRequest&, Context&)>;
using LaterResourceHandler = std::function<void(const ResourceRequest&, Context&, ResourceReply)>;
using AnyResourceHandler = std::variant<ResourceHandler, LaterResourceHandler>;

/// A registered resource; immutable, shared by the requests that read it.
struct Resource {
  ResourceInfo info;
  AnyResourceHandler read;
};

/// A registered template; immutable, shared by the requests that read one of its resources.
struct ResourceTemplate {
  ResourceTemplateInfo info;
  AnyResourceHandler read;
  const detail::ObjectShape* parameters = nullptr;  // of the struct they are decoded into; null if there is none
};

namespace detail {

template <class Parameters>
struct FirstOfReading {
  using Type = ResourceRequest;
};
template <class A, class... Rest>
struct FirstOfReading<std::tuple<A, Rest...>> {
  using Type = std::conditional_t<std::is_same_v<A, Context> || std::is_same_v<A, ResourceReply>, ResourceRequest, A>;
};

/// The function's first parameter: a described struct, Json, or (also if there is none of these) the request.
template <class F>
using ReadingArgument = typename FirstOfReading<typename Signature<F>::Parameters>::Type;

template <class Parameters>
inline constexpr bool reads_later = false;
template <class... A>
inline constexpr bool reads_later<std::tuple<A...>> = (std::is_same_v<A, ResourceReply> || ...);

template <class F, class... More>
decltype(auto) invoke_reading(F& handler, const ResourceRequest& request, Context& context, More&&... more) {
  using Argument = ReadingArgument<F>;
  if constexpr (std::is_same_v<Argument, ResourceRequest>) {
    return invoke_with(handler, request, context, std::forward<More>(more)...);
  } else if constexpr (std::is_same_v<Argument, Json>) {
    return invoke_with(handler, request.parameters, context, std::forward<More>(more)...);
  } else {
    return invoke_with(handler, decode_texts<Argument>(request.parameters), context, std::forward<More>(more)...);
  }
}

template <class F>
AnyResourceHandler make_reading(F handler) {
  if constexpr (reads_later<typename Signature<F>::Parameters>) {
    return LaterResourceHandler([handler = Kept<F>(std::move(handler))](const ResourceRequest& request,
                                                                        Context& context, ResourceReply reply) mutable {
      invoke_reading(handler, request, context, std::move(reply));
    });
  } else {
    return ResourceHandler(
        [handler = Kept<F>(std::move(handler))](const ResourceRequest& request, Context& context) mutable {
          return to_resource_outcome(invoke_reading(handler, request, context));
        });
  }
}

}  // namespace detail

/// A resource from a function `handler(const ResourceRequest&, Context&)`, where either parameter may be left out and a
/// third, `ResourceReply`, lets it answer later.
template <class F>
Resource make_resource(ResourceInfo info, F handler) {
  Resource made{std::move(info), {}};
  if constexpr (detail::HandlerCheck<F, ResourceReply>::passed) {
    static_assert(
        std::is_same_v<detail::ReadingArgument<F>, ResourceRequest>,
        "toolwire: a resource without parameters is read by a function of (const ResourceRequest&, Context&)");
    made.read = detail::make_reading(std::move(handler));
  }
  return made;
}

/// A template from a function like that of a resource, whose first parameter may also be a described struct (the
/// parameters of the URI, decoded and checked) or `const Json&` (an object of strings).
template <class F>
ResourceTemplate make_resource_template(ResourceTemplateInfo info, F handler) {
  ResourceTemplate made{std::move(info), {}, nullptr};
  if constexpr (detail::HandlerCheck<F, ResourceReply>::passed) {
    using Argument = detail::ReadingArgument<F>;
    if constexpr (Described<Argument>) made.parameters = &detail::ShapeOf<Argument>::value;
    made.read = detail::make_reading(std::move(handler));
  }
  return made;
}

}  // namespace toolwire
