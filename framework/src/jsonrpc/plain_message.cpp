#include "jsonrpc/plain_message.hpp"

#include <utility>

#include "json/fast.hpp"

namespace toolwire::jsonrpc {

bool read_plain_message(std::string_view line, std::size_t max_depth, Message& into) {
  Request& request = into.emplace<Request>();
  request.params.emplace_object();
  request.bytes = line.size();
  switch (const auto kind = json::read_plain_message(line, max_depth, request.id.text, request.method, request.params);
          kind) {
    case json::PlainMessage::other:
      return false;
    case json::PlainMessage::request:
      return true;
    case json::PlainMessage::notification:
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
