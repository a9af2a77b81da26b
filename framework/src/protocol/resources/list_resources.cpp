// resources/list and resources/templates/list (specification: server/resources, listing). Behind the resources that are
// registered come those that templates list: on the same page as far as it has room, since several hosts do not follow
// cursors, or page by page where the server has pages.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <deque>
#include <exception>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "log/log.hpp"
#include "protocol/handlers.hpp"
#include "protocol/listing/list_request.hpp"
#include "protocol/resources/resource_listing.hpp"
#include "toolwire/detail/what_of.hpp"
#include "types/in_seconds.hpp"

namespace toolwire::protocol {
namespace {

constexpr ListNames names{.method = "resources/list", .member = "resources", .cursor_prefix = "resources-after-"};
constexpr std::string_view lister_prefix = "resources-of-";  // resources-of-NUMBER OF TEMPLATE:WHERE ITS LISTER GOES ON

using Templates = features::Registry<features::ServedTemplate>::Items;

bool has_lister(const std::shared_ptr<const features::ServedTemplate>& served) {
  return served->made.info.list != nullptr;
}

/// Where a lister goes on. The number is that of the template among all that the client sees, so that a cursor is good
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

/// The cursor of the first template with a lister at `number` or behind it; empty if there is none.
std::string cursor_of_next(const Templates& templates, std::size_t number) {
  auto found = std::find_if(templates.begin() + static_cast<std::ptrdiff_t>(std::min(number, templates.size())),
                            templates.end(), has_lister);
  if (found == templates.end()) return {};
  return std::string(lister_prefix) + std::to_string(found - templates.begin()) + ":";
}

/// resources/list on the engine: a lister is a function of the embedding program and may be slow. A kind of request,
/// see request_for.hpp.
class ListResources {
 public:
  static constexpr std::string_view noun = "list";
  using Outcome = ListResult;
  using Result = ListResult;

  RequestTerms prepare(const Exchange& exchange) {
    const Service& service = exchange.connection->service;
    const auto templates = visible_part(service.resources.templates.list(), exchange);
    const auto resources = visible_part(service.resources.resources.list(), exchange);
    templates_ = templates.items;
    resources_ = resources.items;
    depends_on_asker_ = templates.depends_on_asker || resources.depends_on_asker;
    const Json* given = exchange.arguments().if_contains("cursor");
    std::string_view cursor = given != nullptr && given->is_string() ? std::string_view(given->get_string()) : "";
    const std::string first = cursor_of_next(*templates_, 0);
    begins_with_lister_ = given == nullptr && resources_->empty() && !first.empty();
    if (begins_with_lister_) cursor = first;
    if (cursor.starts_with(lister_prefix)) {
      place_ = place_in(cursor, *templates_);
    } else {
      page_ = page_of(exchange.arguments(), names, resources_->size(), service.options.page);
    }
    if (service.options.page == 0) room_ = service.options.limits.listed_resources;
    return {};
  }
  std::string subject() const { return name_; }
  const std::string& name() const { return name_; }
  const Json& arguments() const { return no_arguments_; }
  AnyRequest described(const Exchange&) const { return {.kind = RequestKind::list, .method = names.method}; }
  bool answers_at_once() const { return true; }

  template <class Send>
  void run(const Json&, Context&, Send send) {
    ListResult result = place_ ? from_first_that_can(*place_) : from_registry();
    while (has_room(result)) add_lister(result);
    send(std::move(result));
  }

  void answer(Request& request, ListResult&& result) const {
    const Exchange& exchange = request.exchange();
    const std::unordered_set<std::string_view> wanted(result.names.begin(), result.names.end());
    bool is_all = true;
    const auto write = [&](std::string& out) {
      out.append("\"resources\":[");
      std::size_t shown = 0;
      for (const ResourceInfo* info : listed_) {
        if (!wanted.contains(info->uri)) {
          is_all = false;
          continue;
        }
        if (shown++ > 0) out.push_back(',');
        append_resource(out, *exchange.revision, *info);
      }
      out.push_back(']');
      append_next_cursor(out, result.next_cursor);
      if (exchange.revision->modern)
        append_list_caching(out, exchange.connection->service, is_all && !leaves_out_ && !depends_on_asker_);
    };
    request.end([&] { exchange.complete(write); });
  }

  void fail(Request& request, const std::exception_ptr& thrown) const {
    try {
      std::rethrow_exception(thrown);
    } catch (const ProtocolError&) {
      throw;
    } catch (const ResourceNotFound&) {
      if (!place_) throw error_of_exception(thrown, request);
      refuse_cursor(names);
    } catch (...) {
      if (!place_) throw error_of_exception(thrown, request);
      const std::string what = name_of(*place_);
      process::log(LogLevel::error, "listing " + what + " failed: " + detail::what_of(thrown));
      throw ProtocolError(error_code::internal_error, "Internal error: the list of " + what + " could not be made");
    }
  }
  std::string timeout_text(std::chrono::milliseconds limit) const {
    return name_ + " timed out after " + types::in_seconds(limit);
  }

 private:
  /// One page of one lister.
  ListResult from_lister(const ListerPlace& place) {
    const ResourcePage& page = lister_pages_.emplace_back((*templates_)[place.number]->made.info.list(place.from));
    ListResult result{{}, cursor_of_next(*templates_, place.number + 1)};
    if (!page.next.empty())
      result.next_cursor = std::string(lister_prefix) + std::to_string(place.number) + ":" + page.next;
    for (const ResourceInfo& info : page.resources) show(info, result);
    return result;
  }

  /// The page at `place`, or the first one behind it that can be made; an empty one if there is none. Where a list has
  /// nothing else either, it throws what the last lister has thrown.
  ListResult from_first_that_can(ListerPlace place) {
    for (;;) {
      try {
        return from_lister(place);
      } catch (...) {
        const std::string behind = cursor_of_next(*templates_, place.number + 1);
        if (is_refused_cursor(place) || (behind.empty() && begins_with_lister_)) {
          place_ = place;
          throw;
        }
        leave_out(place);
        if (behind.empty()) return {};
        place = place_in(behind, *templates_);
      }
    }
  }

  /// In a handler: whether a lister does not know where the client has told it to go on.
  static bool is_refused_cursor(const ListerPlace& place) {
    if (place.from.empty()) return false;
    try {
      throw;
    } catch (const ResourceNotFound&) {
      return true;
    } catch (...) {
      return false;
    }
  }

  /// In a handler.
  void leave_out(const ListerPlace& place) {
    leaves_out_ = true;
    const std::string what = detail::what_of(std::current_exception());
    process::log(LogLevel::error, "listing " + name_of(place) + " failed, what it lists is left out: " + what);
  }

  bool has_room(const ListResult& result) const {
    return listed_.size() < room_ && result.next_cursor.starts_with(lister_prefix);
  }

  /// Adds the page behind the cursor. One that cannot be made costs the others nothing: it is left out.
  void add_lister(ListResult& result) {
    const ListerPlace place = place_in(result.next_cursor, *templates_);
    try {
      ListResult more = from_lister(place);
      const bool stands_still = more.names.empty() && !lister_pages_.back().next.empty();
      if (stands_still) room_ = 0;  // a lister that finds nothing could go on like that for ever
      result.names.insert(result.names.end(), more.names.begin(), more.names.end());
      result.next_cursor = std::move(more.next_cursor);
    } catch (...) {
      leave_out(place);
      result.next_cursor = cursor_of_next(*templates_, place.number + 1);
    }
  }

  std::string name_of(const ListerPlace& place) const { return "\"" + (*templates_)[place.number]->key() + "\""; }

  ListResult from_registry() {
    const bool is_last = page_.to == resources_->size();
    ListResult result{{}, std::string(names.cursor_prefix) + std::to_string(page_.to)};
    if (is_last) result.next_cursor = cursor_of_next(*templates_, 0);
    for (std::size_t i = page_.from; i < page_.to; ++i) show((*resources_)[i]->resource.info, result);
    return result;
  }

  void show(const ResourceInfo& info, ListResult& result) {
    listed_.push_back(&info);
    result.names.push_back(info.uri);
  }

  std::shared_ptr<const Templates> templates_;
  std::shared_ptr<const features::Registry<features::ServedResource>::Items> resources_;
  bool depends_on_asker_ = false;
  std::optional<ListerPlace> place_;  // if a lister is asked
  bool begins_with_lister_ = false;   // at the first, as there is nothing else
  bool leaves_out_ = false;           // what a lister that failed would have listed
  PageRange page_;                    // else
  std::size_t room_ = 0;              // for so many, more listers are asked
  std::deque<ResourcePage> lister_pages_;
  std::vector<const ResourceInfo*> listed_;
  const std::string name_{names.method};
  const Json no_arguments_ = nullptr;
};

struct RegisteredList {
  static constexpr ListNames names = protocol::names;
  static auto listing(const Service& service) { return service.resources.resources.list(); }
  static const ListCache& cache(const Service& service) { return service.resource_lists; }
  static void append(std::string& out, const Revision& revision, const features::ServedResource& served) {
    append_resource(out, revision, served.resource.info);
  }
  static std::shared_ptr<const JsonObject> meta(const Service&) { return nullptr; }
};

struct TemplateList {
  static constexpr ListNames names{.method = "resources/templates/list",
                                   .member = "resourceTemplates",
                                   .cursor_prefix = "resource-templates-after-"};
  static auto listing(const Service& service) { return service.resources.templates.list(); }
  static const ListCache& cache(const Service& service) { return service.template_lists; }
  static void append(std::string& out, const Revision& revision, const features::ServedTemplate& served) {
    append_resource_template(out, revision, served.made.info);
  }
  static std::shared_ptr<const JsonObject> meta(const Service&) { return nullptr; }
};

}  // namespace

void list_resources(Exchange&& exchange) {
  const Service& service = exchange.connection->service;
  const auto templates = service.resources.templates.list();
  const bool asks_listers = std::any_of(templates.items->begin(), templates.items->end(), has_lister);
  if (!asks_listers && !service.has_request_middlewares()) {
    const auto listing = RegisteredList::listing(service);
    if (!listing.depends_on_asker) return answer_list<RegisteredList>(exchange, listing);
  }
  if (!begin_request<ListResources>(exchange)) throw_busy();
}

void list_resource_templates(Exchange&& exchange) { list<TemplateList>(std::move(exchange)); }

}  // namespace toolwire::protocol
