// Lists in pages (specification: server/utilities/pagination), the same for everything a server lists. Independent of
// what is listed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "protocol/caching.hpp"
#include "protocol/exchange.hpp"
#include "protocol/listing/list_cache.hpp"

namespace toolwire::protocol {

/// What tells one list from another.
struct ListNames {
  std::string_view method;         // "tools/list"
  std::string_view member;         // of its result: "tools"
  std::string_view cursor_prefix;  // "tools-after-": cursors of one list are not valid for another
};

/// The items [from, to) of a list.
struct PageRange {
  std::size_t from = 0;
  std::size_t to = 0;
  bool is_all(std::size_t count) const { return from == 0 && to == count; }
};

/// The page the request asks for. Cursors name a position, so that they stay good in another process with the same
/// list. Throws -32602 for anything that is no cursor of this list. `size`: items in a page; 0: all in one.
PageRange page_of(const JsonObject& params, const ListNames& names, std::size_t count, std::size_t size);

[[noreturn]] void refuse_cursor(const ListNames& names);

/// Appends `"member":[…]`. `append_item(out, revision, item)` writes one.
template <class Items, class AppendItem>
void append_items(std::string& out, std::string_view member, const Revision& revision, const Items& items,
                  PageRange page, AppendItem append_item) {
  out.append("\"").append(member).append("\":[");
  for (std::size_t i = page.from; i < page.to; ++i) {
    if (i > page.from) out.push_back(',');
    append_item(out, revision, *items[i]);
  }
  out.push_back(']');
}

/// Appends `,"nextCursor":…` unless the cursor is empty.
void append_next_cursor(std::string& out, std::string_view cursor);

/// Answers a list request with the page of `listing` it asks for; the text of a list that fits in one page comes from
/// its cache. `List`: see list_request.hpp.
template <class List, class Listing>
void answer_list(const Exchange& exchange, const Listing& listing) {
  const Service& service = exchange.connection->service;
  const auto& items = *listing.items;
  const PageRange page = page_of(exchange.arguments(), List::names, items.size(), service.options.page);
  const auto write = [&](std::string& out) {
    if (page.is_all(items.size())) {
      out.append(*List::cache(service).text(*exchange.revision, listing.version, [&](std::string& text) {
        append_items(text, List::names.member, *exchange.revision, items, page, List::append);
      }));
    } else {
      append_items(out, List::names.member, *exchange.revision, items, page, List::append);
    }
    if (page.to < items.size())
      out.append(",\"nextCursor\":\"").append(List::names.cursor_prefix).append(std::to_string(page.to)).append("\"");
    if (exchange.revision->modern) append_list_caching(out, service);
  };
  const auto meta = List::meta(service);
  meta ? exchange.complete(write, *meta) : exchange.complete(write);
}

}  // namespace toolwire::protocol
