#include "connection.hpp"

#include <array>
#include <cerrno>
#include <exception>
#include <system_error>

#include <toolwire/system/ready_set.hpp>

namespace toolwire::redis {
namespace {

namespace ready = system::ready;

std::string text_of(int error) { return std::generic_category().message(error); }

}  // namespace

void Connection::open(const streams::SocketAddress& address) {
  try {
    socket_ = streams::begin_to_connect(address);
    stream_ = make_stream_(socket_.get());
  } catch (const std::system_error& error) {
    return break_off(error.code().message());
  } catch (const std::runtime_error& error) {
    return break_off(error.what());
  }
  reader_ = std::make_unique<ReplyReader>(max_reply_);
  stage_ = Stage::connecting;
  wait_for(ready::to_write);
}

Connection::~Connection() { end_stream(); }

void Connection::end_stream() {
  if (stage_ == Stage::open) stream_->end();
}

void Connection::close() {
  end_stream();
  if (socket_.is_open()) loop_.unwatch(socket_.get());
  stream_.reset();
  socket_.reset();
  stage_ = Stage::closed;
  waited_for_ = read_waits_for_ = write_waits_for_ = 0;
  output_.clear();
  written_ = 0;
  reader_.reset();
}

void Connection::break_off(const std::string& why) {
  close();
  events_.broke(why);
}

void Connection::break_off(const Moved& end) {
  if (!end.is_refusal) return break_off(end.error);
  close();
  events_.untrusted(end.error);
}

std::string Connection::awaited() const {
  return stage_ == Stage::beginning ? "it does not answer in TLS, as if this was not its port for that"
                                    : "it does not answer";
}

void Connection::wait_for(std::uint32_t events) {
  if (waited_for_ == events) return;
  waited_for_ = events;
  if (!loop_.watch(socket_.get(), events, [this](std::uint32_t ready) { handle(ready); })) break_off(text_of(errno));
}

/// Only for what either direction needs to go on: a read that needs room to write is not woken by what there is to
/// read.
void Connection::wait() { wait_for(read_waits_for_ | write_waits_for_); }

void Connection::handle(std::uint32_t events) {
  switch (stage_) {
    case Stage::closed:
      return;
    case Stage::connecting:
      finish_connecting();
      break;
    case Stage::beginning:
      begin();
      break;
    case Stage::open:
      if ((events & (read_waits_for_ | ready::failed)) != 0) read();
      if ((events & write_waits_for_) != 0) flush();
      break;
  }
  events_.handled();
}

void Connection::finish_connecting() {
  if (const int error = streams::connect_error(socket_.get()); error != 0) return break_off(text_of(error));
  stage_ = Stage::beginning;
  begin();
}

void Connection::begin() {
  const Moved begun = stream_->begin();
  if (!begun.error.empty()) return break_off(begun);
  if (begun.waits_for != 0) return wait_for(begun.waits_for);
  stage_ = Stage::open;
  read_waits_for_ = ready::to_read;
  wait();
  if (stage_ == Stage::open) events_.opened();
}

void Connection::flush() {
  while (stage_ == Stage::open && unwritten() > 0) {
    const Moved sent = stream_->send(std::string_view(output_).substr(written_));
    if (!sent.error.empty()) return break_off(sent);
    write_waits_for_ = sent.waits_for;
    if (sent.waits_for != 0) return wait();
    written_ += sent.count;
  }
  output_.clear();
  written_ = 0;
  if (stage_ == Stage::open) wait();
}

/// Others on the loop have their turn after a few pieces.
void Connection::read() {
  constexpr int pieces = 16;
  for (int i = 0; i < pieces && stage_ == Stage::open; ++i) {
    if (!read_some()) return;
  }
}

bool Connection::read_some() {
  std::array<char, Stream::most_at_once> bytes{};
  const Moved received = stream_->receive(bytes);
  if (!received.error.empty()) {
    break_off(received);
    return false;
  }
  read_waits_for_ = received.waits_for != 0 ? received.waits_for : ready::to_read;
  wait();
  if (received.count == 0 || stage_ != Stage::open) return false;
  reader_->feed({bytes.data(), received.count});
  pass_replies();
  return received.count == bytes.size();
}

void Connection::pass_replies() {
  try {
    while (reader_) {
      auto reply = reader_->next();
      if (!reply) return;
      events_.replied(std::move(*reply));
    }
  } catch (const std::runtime_error& error) {
    break_off(error.what());
  }
}

}  // namespace toolwire::redis
