#include "workspace/tools/resources.hpp"

#include <chrono>
#include <toolwire/describe.hpp>
#include <toolwire/error.hpp>
#include <toolwire/resource.hpp>
#include <toolwire/text.hpp>
#include <utility>

#include "workspace/names/media.hpp"
#include "workspace/system/file_bytes.hpp"
#include "workspace/system/walk.hpp"
#include "workspace/text/credentials.hpp"
#include "workspace/text/encoding.hpp"
#include "workspace/text/shown_path.hpp"
#include "workspace/text/utf8.hpp"

namespace workspace {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t largest = 10ULL << 20;
constexpr std::size_t max_page_size = 500;

struct FileParameters {
  std::string path;

  static constexpr auto describe() {
    return toolwire::fields(toolwire::field<&FileParameters::path>("Absolute, without its first slash"));
  }
};

toolwire::ResourceContents read(const Roots& roots, const FileParameters& wanted, const std::stop_token& stop) {
  try {
    const Located where = roots.locate('/' + wanted.path);
    const FileDescriptor file = where.root->open_file(where.path);
    std::string bytes = all_bytes(file.get(), largest, stop);
    const Encoding encoding = encoding_of(std::string_view(bytes).substr(0, 8192));
    const bool is_text = encoding != Encoding::binary && image_type(bytes).empty();
    const std::string type{mime_type(wanted.path, is_text)};
    const bool is_masked = where.root->secrets() == Secrets::left_out && image_type(bytes).empty();
    if (!is_text && is_masked) mask_credentials(bytes);
    if (!is_text) return toolwire::ResourceContents::bytes(std::move(bytes), type);
    std::string text = to_utf8(bytes, encoding);
    if (is_masked) mask_credentials(text);
    return toolwire::ResourceContents::text(valid_utf8(text), type);
  } catch (const toolwire::ToolError& error) {
    throw toolwire::ResourceNotFound(error.what());
  }
}

toolwire::ResourceInfo info_of(const std::string& absolute, const std::string& shown) {
  toolwire::ResourceInfo info;
  info.uri = file_uri(absolute);
  info.name = shown;
  info.mime_type = mime_type(absolute, true);
  return info;
}

// The files behind `from`, a path with the name of its root.
toolwire::ResourcePage page(const Roots& roots, const std::string& from) {
  toolwire::ResourcePage result;
  for (const Located& place : roots.below(".")) {
    const bool is_begun = from.starts_with(place.prefix);
    if (!place.root->is_there() || !result.next.empty() || (!is_begun && place.prefix < from)) continue;
    const std::string start = is_begun ? from.substr(place.prefix.size()) : std::string();
    walk(*place.root, ".", {.from = start, .ignored = Ignored::left_out}, {}, [&](const Entry& entry) {
      if (entry.kind != FileKind::regular || entry.path == start || !toolwire::text::is_valid(entry.path))
        return Step::proceed;
      if (result.resources.size() == max_page_size) {
        result.next = result.resources.back().name;
        return Step::end;
      }
      result.resources.push_back(info_of(place.root->path() + '/' + entry.path, shown_path(place.shown(entry.path))));
      return Step::proceed;
    });
  }
  return result;
}

}  // namespace

std::string file_uri(std::string_view absolute_path) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  constexpr std::string_view kept = "-._~/";
  std::string uri = "file://";
  for (const char c : absolute_path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (is_plain || kept.find(c) != std::string_view::npos) {
      uri += c;
      continue;
    }
    uri += '%';
    uri += digits[static_cast<unsigned char>(c) >> 4U];
    uri += digits[static_cast<unsigned char>(c) & 0xFU];
  }
  return uri;
}

std::unique_ptr<FileWatch> add_resources(toolwire::Server& server, const Roots& roots) {
  auto watch = std::make_unique<FileWatch>(
      roots, WatchEvents{[&server](const std::string& path) { server.resource_updated(file_uri(path)); },
                         [&server] { server.resource_list_changed(); }});
  FileWatch* const started = watch.get();
  toolwire::ResourceTemplateInfo info;
  info.uri_template = "file:///{+path}";
  info.name = "file";
  info.title = "Files of the workspace";
  info.description =
      "Every file below the roots, by its absolute path; at most 10 MiB. What .gitignore files name can be read, and "
      "is "
      "not listed. Clients that subscribe hear of changes.";
  info.subscribable = true;
  info.timeout = 20s;
  info.list = [&roots, started](const std::string& from) {
    started->start();
    return page(roots, path_meant(from));
  };
  server.resource_template(std::move(info),
                           [&roots, started](const FileParameters& wanted, toolwire::Context& context) {
                             started->start();
                             return read(roots, wanted, context.stop_token());
                           });
  return watch;
}

}  // namespace workspace
