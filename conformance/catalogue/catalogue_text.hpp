// The files of catalogue/ as text; the definitions are written when the program is built.
#pragma once

#include <span>
#include <string_view>

namespace toolwire::conformance {

struct CatalogueFile {
  std::string_view group;
  std::string_view text;  // a requirement a line
};

std::span<const CatalogueFile> catalogue_files();
std::string_view fixtures_text();
std::string_view causes_text();
std::string_view over_http_text();

}  // namespace toolwire::conformance
