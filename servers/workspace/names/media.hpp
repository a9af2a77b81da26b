// Kinds of content, as MIME types: of images by their first bytes, of other files by their names.
#pragma once

#include <string_view>

namespace workspace {

/// "image/png" etc. for images that models commonly accept; empty for everything else.
std::string_view image_type(std::string_view start);

/// By the ending of the name; "text/plain" or "application/octet-stream" for one that is not known.
std::string_view mime_type(std::string_view path, bool is_text);

}  // namespace workspace
