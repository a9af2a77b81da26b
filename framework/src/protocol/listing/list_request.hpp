// A list as a request of its own, where middleware stands around it or it depends on who asks: what it shows is decided
// on the engine, name by name. Other lists are answered where they are read, see pages.hpp.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "protocol/asker.hpp"
#include "protocol/error_of_exception.hpp"
#include "protocol/listing/pages.hpp"
#include "protocol/request_for.hpp"
#include "types/in_seconds.hpp"

namespace toolwire::protocol {

/// A kind of request, see request_for.hpp. `List` has
///   names                       the ListNames
///   listing(service)            of a features::Registry
///   cache(service)              of its texts
///   append(out, revision, item) writes one
///   meta(service)               of the result; null if there is none
template <class List>
class ListRequest {
 public:
  static constexpr std::string_view noun = "list";
  using Outcome = ListResult;
  using Result = ListResult;

  RequestTerms prepare(const Exchange& exchange) {
    const Service& service = exchange.connection->service;
    listing_ = visible_part(List::listing(service), exchange);
    page_ = page_of(exchange.arguments(), List::names, listing_.items->size(), service.options.page);
    return {};
  }
  std::string subject() const { return name_; }
  const std::string& name() const { return name_; }
  const Json& arguments() const { return no_arguments_; }
  AnyRequest described(const Exchange&) const { return {.kind = RequestKind::list, .method = List::names.method}; }
  bool answers_at_once() const { return true; }

  template <class Send>
  void run(const Json&, Context&, Send send) const {
    ListResult result;
    for (std::size_t i = page_.from; i < page_.to; ++i) result.names.push_back((*listing_.items)[i]->key());
    if (page_.to < listing_.items->size())
      result.next_cursor = std::string(List::names.cursor_prefix) + std::to_string(page_.to);
    send(std::move(result));
  }

  void answer(Request& request, ListResult&& result) const {
    const Exchange& exchange = request.exchange();
    const Service& service = exchange.connection->service;
    const std::unordered_set<std::string_view> wanted(result.names.begin(), result.names.end());
    std::vector<typename Items::value_type> shown;
    for (std::size_t i = page_.from; i < page_.to; ++i) {
      if (wanted.contains((*listing_.items)[i]->key())) shown.push_back((*listing_.items)[i]);
    }
    const bool is_all = shown.size() == page_.to - page_.from;
    const bool is_the_same = is_all && !listing_.depends_on_asker && !service.tells_callers_apart();
    const auto write = [&](std::string& out) {
      append_items(out, List::names.member, *exchange.revision, shown, {0, shown.size()}, List::append);
      append_next_cursor(out, result.next_cursor);
      if (exchange.revision->modern) append_list_caching(out, service, is_the_same);
    };
    const auto meta = List::meta(service);
    request.end([&] { exchange.complete(write, meta ? *meta : JsonObject()); });
  }
  void fail(Request& request, const std::exception_ptr& thrown) const {
    request.fail(error_of_exception(thrown, request));
  }
  std::string timeout_text(std::chrono::milliseconds limit) const {
    return name_ + " timed out after " + types::in_seconds(limit);
  }

 private:
  using Listing = decltype(List::listing(std::declval<const Service&>()));
  using Items = std::remove_cvref_t<decltype(*std::declval<Listing>().items)>;

  Listing listing_;
  PageRange page_;
  const std::string name_{List::names.method};
  const Json no_arguments_ = nullptr;
};

/// Answers a list request: where it is read, or on the engine if functions of the program have a say in it.
template <class List>
void list(Exchange&& exchange) {
  const Service& service = exchange.connection->service;
  if (!service.has_request_middlewares()) {
    const auto listing = List::listing(service);
    if (!listing.depends_on_asker) return answer_list<List>(exchange, listing);
  }
  if (!begin_request<ListRequest<List>>(exchange)) throw_busy();
}

}  // namespace toolwire::protocol
