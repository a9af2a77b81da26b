// Which of a server's tools, resources and prompts are a kind of fixture by their names: those the user's profile gives
// them, or those of the official fixtures. It asks the server nothing.
#pragma once

#include <optional>
#include <string_view>

#include "target/target.hpp"

namespace toolwire::conformance {

/// The fixture of that kind, if `offer` lists what the profile names. A tool that only has the name of an official
/// fixture must take its arguments as well, under whatever name if it is one, and be one that may be called.
std::optional<Fixture> named_fixture(const Target& target, const Offer& offer, std::string_view kind);

}  // namespace toolwire::conformance
