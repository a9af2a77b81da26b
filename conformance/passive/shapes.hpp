// What the schemas of the published revisions require of a server's messages: which members each type has, which of
// them are required, and of what type they are. Independent of sessions and methods; formats of strings (URIs, base64)
// are checked where their own requirements are.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <toolwire/json.hpp>

namespace toolwire::conformance {

/// A member of a type. `name` ends with "?" where it may be left out; of "text|blob" at least one is there.
/// `type` is string, integer, number, boolean, object, any or null; natural (an integer from 0 on), share (a number
/// from 0 to 1), id (a string or an integer), role; 'text' between quotes for just this; or the name of a shape. Behind
/// each,
/// [] makes it an array of them and {} an object whose values they are; several stand with | between.
struct Member {
  std::string_view name, type;
  std::string_view since = "2024-11-05", until = "9999";  // the revisions whose schemas have it
};

struct Shape {
  std::string_view name;
  std::span<const Member> members;
};

/// A shape that depends on the value of its member `type`.
struct Variant {
  std::string_view shape, type, is;
  std::string_view since = "2024-11-05";
};

// The tables (shape_tables.cpp).
std::span<const Shape> shapes();
std::span<const Variant> variants();

/// What is wrong with `json` as a value of `type` in `revision`, with the path to it: "tools[0].name: a string is
/// missing". Nothing if it fits. Types of content that are of another revision fit here.
std::optional<std::string> misfit(const Json& json, std::string_view type, std::string_view revision);

}  // namespace toolwire::conformance
