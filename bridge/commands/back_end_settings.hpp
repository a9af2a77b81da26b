// What a bindings file or a command line says of an MCP server behind the bridge. Takes values, returns values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "activities/mcp/options.hpp"
#include "manifest/findings.hpp"

namespace toolwire::bridge {

/// An entry of `servers`, as activities/mcp/README.md describes it; `directory` is that of its file. Nothing if it is
/// wrong, with what was expected in `findings`. `oauth_place`: where its "oauth" stands, if that is not below
/// `pointer`.
std::optional<mcp::BackEndOptions> read_back_end(const std::string& name, const Json& json, const std::string& pointer,
                                                 const std::string& directory, Findings& findings,
                                                 const std::string& oauth_place = {});

/// Why this cannot be the address of a server, or nothing.
std::optional<std::string> wrong_address(const std::string& url);
/// Why a header of a server cannot be sent, or nothing. No text shows the value.
std::optional<std::string> wrong_header(std::string_view name, std::string_view value);
/// Whether one of them is `Authorization`: then nobody logs in.
bool says_who_asks(const HttpHeaders& headers);
/// For the log at the start: what confines it, or where it is reached.
std::string start_text_of(const mcp::BackEndOptions& server);

/// "on_conflict", "always", "never".
std::optional<mcp::Prefix> prefix_named(std::string_view name);

/// Words as a shell would split them, with quotes and backslashes, but nothing else of a shell. Throws
/// std::invalid_argument for a quote without an end.
std::vector<std::string> words_of(std::string_view text);

/// Whether a text is the address of a server, and no program.
bool is_address(std::string_view text);

/// "NAME=PROGRAM ARGUMENT…": words as a shell would split them, with quotes and backslashes, but nothing else of a
/// shell; or "NAME=https://…". Throws std::invalid_argument saying what was expected.
mcp::BackEndOptions back_end_from(std::string_view text);

}  // namespace toolwire::bridge
