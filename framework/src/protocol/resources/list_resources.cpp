// resources/list and resources/templates/list (specification: server/resources, listing). Behind the resources that are
// registered come, page by page, those that templates list.
#include <algorithm>
#include <charconv>
#include <exception>

#include "json/writer.hpp"
#include "log/log.hpp"
#include "protocol/handlers.hpp"
#include "protocol/listing/pages.hpp"
#include "protocol/on_crew.hpp"
#include "protocol/resources/resource_listing.hpp"

namespace toolwire::protocol {
namespace {

constexpr ListNames names{.method = "resources/list", .member = "resources", .cursor_prefix = "resources-after-"};
constexpr std::string_view lister_prefix = "resources-of-";  // resources-of-NUMBER OF TEMPLATE:WHERE ITS LISTER GOES ON

using Templates = features::Registry<features::ServedTemplate>::Items;

void append_served(std::string& out, const Revision& revision, const features::ServedResource& served) {
  append_resource(out, revision, served.resource.info);
}

bool has_lister(const std::shared_ptr<const features::ServedTemplate>& served) {
  return served->made.info.list != nullptr;
}

/// Where a lister goes on. The number is that of the template among all that are registered, so that a cursor is good
/// in another process with the same templates.
struct ListerPlace {
  std::size_t number = 0;
  std::string from = {};
};

ListerPlace place_in(std::string_view cursor, const Templates& templates) {
  cursor.remove_prefix(lister_prefix.size());
  ListerPlace place;
  auto [end, error] = std::from_chars(cursor.data(), cursor.data() + cursor.size(), place.number);
  cursor.remove_prefix(static_cast<std::size_t>(end - cursor.data()));
  if (error != std::errc() || !cursor.starts_with(':') || place.number >= templates.size() ||
      !has_lister(templates[place.number])) {
    refuse_cursor(names);
  }
  place.from = cursor.substr(1);
  return place;
}

/// The first template with a lister at `number` or behind it.
std::optional<std::string> cursor_of_next(const Templates& templates, std::size_t number) {
  auto found = std::find_if(templates.begin() + static_cast<std::ptrdiff_t>(std::min(number, templates.size())),
                            templates.end(), has_lister);
  if (found == templates.end()) return std::nullopt;
  return std::string(lister_prefix) + std::to_string(found - templates.begin()) + ":";
}

ResourcePage listed(const features::ServedTemplate& served, const std::string& from) {
  try {
    return served.made.info.list(from);
  } catch (const ProtocolError&) {
    throw;
  } catch (const ResourceNotFound&) {
    refuse_cursor(names);
  } catch (const std::exception& error) {
    process::log("listing \"" + served.key() + "\" failed: " + error.what());
  } catch (...) {
    process::log("listing \"" + served.key() + "\" failed");
  }
  throw ProtocolError(error_code::internal_error,
                      "Internal error: the list of \"" + served.key() + "\" could not be made");
}

void append_cursor(std::string& out, const std::optional<std::string>& cursor) {
  if (!cursor) return;
  out.append(",\"nextCursor\":");
  json::write_string(out, *cursor);
}

/// One page of one lister.
void answer_from_lister(const Exchange& exchange, const Templates& templates, std::string_view cursor) {
  const ListerPlace place = place_in(cursor, templates);
  const ResourcePage page = listed(*templates[place.number], place.from);
  std::optional<std::string> next = cursor_of_next(templates, place.number + 1);
  if (!page.next.empty()) next = std::string(lister_prefix) + std::to_string(place.number) + ":" + page.next;
  exchange.complete([&](std::string& out) {
    out.append("\"resources\":[");
    for (std::size_t i = 0; i < page.resources.size(); ++i) {
      if (i > 0) out.push_back(',');
      append_resource(out, *exchange.revision, page.resources[i]);
    }
    out.push_back(']');
    append_cursor(out, next);
    if (exchange.revision->modern) append_list_caching(out, exchange.connection->service);
  });
  exchange.connection->crew.flush_from_outside();
}

/// On the crew: a lister is a function of the embedding program and may be slow.
void list_with_listers(Exchange&& exchange) {
  const Service& service = exchange.connection->service;
  const auto templates = service.resources.templates.list();
  const auto resources = service.resources.resources.list();
  const Json* given = exchange.arguments().if_contains("cursor");
  const std::string first = cursor_of_next(*templates.items, 0).value_or(std::string(lister_prefix));
  std::string_view cursor = given != nullptr && given->is_string() ? std::string_view(given->get_string()) : "";
  if (given == nullptr && resources.items->empty()) cursor = first;
  if (cursor.starts_with(lister_prefix)) return answer_from_lister(exchange, *templates.items, cursor);
  const PageRange page = page_of(exchange.arguments(), names, resources.items->size(), service.options.page);
  exchange.complete([&](std::string& out) {
    append_items(out, names.member, *exchange.revision, *resources.items, page, append_served);
    const bool is_last = page.to == resources.items->size();
    append_cursor(out, is_last ? first : std::string(names.cursor_prefix) + std::to_string(page.to));
    if (exchange.revision->modern) append_list_caching(out, service);
  });
  exchange.connection->crew.flush_from_outside();
}

}  // namespace

void list_resources(Exchange&& exchange) {
  const Service& service = exchange.connection->service;
  const auto templates = service.resources.templates.list();
  if (std::any_of(templates.items->begin(), templates.items->end(), has_lister)) {
    if (!run_on_crew(exchange, list_with_listers)) throw_busy();
    return;
  }
  answer_list(exchange, names, service.resources.resources.list(), service.resource_lists, append_served);
}

void list_resource_templates(Exchange&& exchange) {
  constexpr ListNames template_names{.method = "resources/templates/list",
                                     .member = "resourceTemplates",
                                     .cursor_prefix = "resource-templates-after-"};
  const Service& service = exchange.connection->service;
  answer_list(exchange, template_names, service.resources.templates.list(), service.template_lists,
              [](std::string& out, const Revision& revision, const features::ServedTemplate& served) {
                append_resource_template(out, revision, served.made.info);
              });
}

}  // namespace toolwire::protocol
