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

/// Puts a reply where it belongs: into the list around it, or into a place of its own. Null, which hiredis takes for a
/// lack of memory, where there are too many of them. A list grows only when the one before is whole, so that what is
/// returned stays where it is for as long as hiredis uses it.
void* put(const redisReadTask* task, Reply&& reply) noexcept {
  auto& elements = *static_cast<std::size_t*>(task->privdata);
  if (++elements > ReplyReader::max_elements) return nullptr;
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

void* put_list(const redisReadTask* task, int) { return put(task, {.kind = Reply::Kind::list}); }
void* put_number(const redisReadTask* task, long long number) {
  return put(task, {.kind = Reply::Kind::number, .number = number});
}
void* put_nil(const redisReadTask* task) { return put(task, {}); }
void drop(void* reply) { delete static_cast<Reply*>(reply); }

redisReplyObjectFunctions* functions() {
  static redisReplyObjectFunctions functions{&put_text, &put_list, &put_number, &put_nil, &drop};
  return &functions;
}

}  // namespace

void ReplyReader::Free::operator()(redisReader* reader) const { redisReaderFree(reader); }

ReplyReader::ReplyReader(std::size_t max_bytes)
    : max_bytes_(max_bytes), reader_(redisReaderCreateWithFunctions(functions())) {
  if (!reader_) throw std::bad_alloc();
  reader_->privdata = &elements_;
}

void ReplyReader::feed(std::string_view bytes) {
  unfinished_ += bytes.size();
  redisReaderFeed(reader_.get(), bytes.data(), bytes.size());
}

std::optional<Reply> ReplyReader::next() {
  void* read = nullptr;
  if (redisReaderGetReply(reader_.get(), &read) != REDIS_OK) {
    if (elements_ > max_elements) throw std::runtime_error("a reply has more elements than any that was asked for");
    throw std::runtime_error("it does not speak Redis' protocol: " + std::string(reader_->errstr));
  }
  if (read == nullptr) {
    if (unfinished_ > max_bytes_) throw std::runtime_error("a reply is longer than any that was asked for");
    return std::nullopt;
  }
  const std::unique_ptr<Reply> reply(static_cast<Reply*>(read));
  elements_ = 0;
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
  const int size = redisFormatCommandArgv(&text, static_cast<int>(arguments.size()), begins.data(), sizes.data());
  if (size < 0) throw std::bad_alloc();
  std::string command(text, static_cast<std::size_t>(size));
  redisFreeCommand(text);
  return command;
}

}  // namespace toolwire::redis
