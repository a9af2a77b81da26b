#include "workspace/names/media.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace workspace {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr std::array<Pair, 34> types{{{"c", "text/x-c"},
                                      {"cc", "text/x-c++"},
                                      {"cpp", "text/x-c++"},
                                      {"cs", "text/x-csharp"},
                                      {"css", "text/css"},
                                      {"csv", "text/csv"},
                                      {"gif", "image/gif"},
                                      {"go", "text/x-go"},
                                      {"gz", "application/gzip"},
                                      {"h", "text/x-c"},
                                      {"hpp", "text/x-c++"},
                                      {"htm", "text/html"},
                                      {"html", "text/html"},
                                      {"java", "text/x-java"},
                                      {"jpeg", "image/jpeg"},
                                      {"jpg", "image/jpeg"},
                                      {"js", "text/javascript"},
                                      {"json", "application/json"},
                                      {"md", "text/markdown"},
                                      {"mjs", "text/javascript"},
                                      {"pdf", "application/pdf"},
                                      {"png", "image/png"},
                                      {"py", "text/x-python"},
                                      {"rs", "text/x-rust"},
                                      {"sh", "text/x-shellscript"},
                                      {"svg", "image/svg+xml"},
                                      {"toml", "application/toml"},
                                      {"ts", "text/x-typescript"},
                                      {"tsx", "text/x-typescript"},
                                      {"txt", "text/plain"},
                                      {"webp", "image/webp"},
                                      {"xml", "application/xml"},
                                      {"yaml", "application/yaml"},
                                      {"zip", "application/zip"}}};
static_assert(std::is_sorted(types.begin(), types.end()));

}  // namespace

std::string_view image_type(std::string_view start) {
  if (start.starts_with("\x89PNG\r\n\x1A\n")) return "image/png";
  if (start.starts_with("\xFF\xD8\xFF")) return "image/jpeg";
  if (start.starts_with("GIF87a") || start.starts_with("GIF89a")) return "image/gif";
  if (start.starts_with("RIFF") && start.substr(0, 12).ends_with("WEBP")) return "image/webp";
  return {};
}

std::string_view mime_type(std::string_view path, bool is_text) {
  const std::size_t dot = path.rfind('.');
  const std::string_view ending = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  const auto* const found = std::lower_bound(types.begin(), types.end(), ending,
                                             [](const Pair& type, std::string_view name) { return type.first < name; });
  if (found != types.end() && found->first == ending) return found->second;
  return is_text ? "text/plain" : "application/octet-stream";
}

}  // namespace workspace
