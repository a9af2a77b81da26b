#include "jsonrpc/plain_message.hpp"

#include <algorithm>
#include <utility>

#include "json/fast.hpp"

namespace toolwire::jsonrpc {

bool read_plain_message(std::string_view line, const json::Bounds& bounds, Message& into, json::KeptMember* kept) {
  if (kept != nullptr) kept->share_nothing();
  Request& request = std::get<Request>(into);
  request.params.emplace_object();
  switch (const auto kind = json::read_plain_message(line, bounds, request.id.text, request.method, request.params,
                                                     request.bytes, kept);
          kind) {
    case json::PlainMessage::other:
      if (kept != nullptr) kept->share_nothing();
      return false;
    case json::PlainMessage::request:
      request.bytes = std::max(request.bytes, line.size());
      return true;
    case json::PlainMessage::notification:
      if (kept != nullptr && kept->shared()) request.params.get_object()["_meta"] = *kept->shared();
      into = Notification{std::move(request.method), std::move(request.params)};
      return true;
    case json::PlainMessage::result:
    case json::PlainMessage::error:
      into = Response{std::move(request.id), kind == json::PlainMessage::error, std::move(request.params)};
      return true;
  }
  return false;
}

}  // namespace toolwire::jsonrpc
