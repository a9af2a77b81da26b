// What a file is without a server that was put into it. Independent of files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hosts/host.hpp"

namespace toolwire::install {

/// The text without the entry at the path. If it is, byte for byte, what putting the entry in makes of one of the texts
/// that the file has held, that text; nothing if it is what that makes of no file at all, which therefore can go; else
/// the text with nothing but the entry taken out. Throws edit::Malformed.
std::optional<std::string> text_without(hosts::Format format, const std::string& text,
                                        const std::vector<std::string>& path, const std::vector<std::string>& held);

}  // namespace toolwire::install
