#include "reply.hpp"

#include <hiredis/hiredis.h>

#include <array>
#include <new>
#include <stdexcept>
#include <utility>

namespace toolwire::redis {
namespace {

Reply::Kind kind_of(int type) {
  switch (type) {
    case REDIS_REPLY_STATUS:
      return Reply::Kind::status;
    case REDIS_REPLY_ERROR:
      return Reply::Kind::error;
    default:
      return Reply::Kind::text;
  }
}

bool is_too_deep(const redisReadTask* task) {
  std::size_t lists = 0;
  for (const redisReadTask* around = task->parent; around != nullptr; around = around->parent) ++lists;
  return lists > ReplyReader::max_depth;
}

/// Puts a reply where it belongs: into the list around it, or into a place of its own. Null, which hiredis takes for a
/// lack of memory, where there are too many of them, or too many lists in each other (which only newer versions of
/// hiredis get to). A list grows only when the one before is whole, so that what is returned stays where it is for as
/// long as hiredis uses it.
void* put(const redisReadTask* task, Reply&& reply) noexcept {
  auto& read = *static_cast<ReplyReader::Read*>(task->privdata);
  if (++read.elements > ReplyReader::max_elements) return nullptr;
  if (is_too_deep(task)) return read.is_too_deep = true, nullptr;
  try {
    if (task->parent == nullptr) return new Reply(std::move(reply));
    return &static_cast<Reply*>(task->parent->obj)->list.emplace_back(std::move(reply));
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void* put_text(const redisReadTask* task, char* text, std::size_t size) {
  try {
    return put(task, {.kind = kind_of(task->type), .text = std::string(text, size)});
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void* put_number(const redisReadTask* task, long long number) {
  return put(task, {.kind = Reply::Kind::number, .number = number});
}
void* put_nil(const redisReadTask* task) { return put(task, {}); }
void drop(void* reply) { delete static_cast<Reply*>(reply); }

/// What only newer versions of hiredis know (RESP3, which is never asked for): without them they make replies that are
/// no addresses.
template <typename Functions>
void add_newer_kinds(Functions& functions) {
  if constexpr (requires { functions.createDouble; }) {
    functions.createDouble = [](const redisReadTask* task, double, char* text, std::size_t size) {
      return put_text(task, text, size);
    };
    functions.createBool = [](const redisReadTask* task, int value) { return put_number(task, value); };
  }
}

redisReplyObjectFunctions all_functions() {
  redisReplyObjectFunctions functions{};
  functions.createString = &put_text;
  // How many elements it will have is an int or a size_t, by the version.
  functions.createArray = [](const redisReadTask* task, auto) { return put(task, {.kind = Reply::Kind::list}); };
  functions.createInteger = &put_number;
  functions.createNil = &put_nil;
  functions.freeObject = &drop;
  add_newer_kinds(functions);
  return functions;
}

redisReplyObjectFunctions* functions() {
  static redisReplyObjectFunctions functions = all_functions();
  return &functions;
}

}  // namespace

void ReplyReader::Free::operator()(redisReader* reader) const { redisReaderFree(reader); }

ReplyReader::ReplyReader(std::size_t max_bytes)
    : max_bytes_(max_bytes), reader_(redisReaderCreateWithFunctions(functions())) {
  if (!reader_) throw std::bad_alloc();
  reader_->privdata = &read_;
}

void ReplyReader::feed(std::string_view bytes) {
  unfinished_ += bytes.size();
  redisReaderFeed(reader_.get(), bytes.data(), bytes.size());
}

std::optional<Reply> ReplyReader::next() {
  void* read = nullptr;
  if (redisReaderGetReply(reader_.get(), &read) != REDIS_OK) {
    if (read_.elements > max_elements)
      throw std::runtime_error("a reply has more elements than any that was asked for");
    const std::string why = read_.is_too_deep ? "lists in each other" : reader_->errstr;
    throw std::runtime_error("it does not speak Redis' protocol: " + why);
  }
  if (read == nullptr) {
    if (unfinished_ > max_bytes_) throw std::runtime_error("a reply is longer than any that was asked for");
    return std::nullopt;
  }
  const std::unique_ptr<Reply> reply(static_cast<Reply*>(read));
  read_ = {};
  unfinished_ = 0;
  return std::move(*reply);
}

std::string command_text(std::span<const std::string_view> arguments) {
  std::vector<const char*> begins;
  std::vector<std::size_t> sizes;
  for (const std::string_view argument : arguments) {
    begins.push_back(argument.data());
    sizes.push_back(argument.size());
  }
  char* text = nullptr;
  const auto size = redisFormatCommandArgv(&text, static_cast<int>(arguments.size()), begins.data(), sizes.data());
  if (size < 0) throw std::bad_alloc();
  std::string command(text, static_cast<std::size_t>(size));
  redisFreeCommand(text);
  return command;
}

}  // namespace toolwire::redis
