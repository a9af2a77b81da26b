#include "connection.hpp"

#include <array>
#include <cerrno>
#include <exception>
#include <system_error>

#include <toolwire/system/ready_set.hpp>
#include "redis/system/stream.hpp"

namespace toolwire::redis {
namespace {

std::string text_of(int error) { return std::generic_category().message(error); }

}  // namespace

void Connection::open(const SocketAddress& address) {
  try {
    socket_ = begin_to_connect(address);
  } catch (const std::system_error& error) {
    return events_.broke(error.code().message());
  }
  reader_ = std::make_unique<ReplyReader>(max_reply_);
  is_connecting_ = true;
  wait_for(system::ready::to_write);
}

void Connection::close() {
  if (socket_.is_open()) loop_.unwatch(socket_.get());
  socket_.reset();
  is_connecting_ = false;
  waited_for_ = 0;
  output_.clear();
  written_ = 0;
  reader_.reset();
}

void Connection::break_off(const std::string& why) {
  close();
  events_.broke(why);
}

void Connection::wait_for(std::uint32_t events) {
  if (waited_for_ == events) return;
  waited_for_ = events;
  if (!loop_.watch(socket_.get(), events, [this](std::uint32_t ready) { handle(ready); })) break_off(text_of(errno));
}

void Connection::handle(std::uint32_t events) {
  if (is_connecting_) {
    finish_connecting();
  } else {
    if ((events & (system::ready::to_read | system::ready::failed)) != 0) read();
    if ((events & system::ready::to_write) != 0) flush();
  }
  events_.handled();
}

void Connection::finish_connecting() {
  is_connecting_ = false;
  if (const int error = connect_error(socket_.get()); error != 0) return break_off(text_of(error));
  wait_for(system::ready::to_read);
  if (socket_.is_open()) events_.opened();
}

void Connection::flush() {
  while (socket_.is_open() && unwritten() > 0) {
    const Moved sent = send_some(socket_.get(), std::string_view(output_).substr(written_));
    if (sent.must_wait) return wait_for(system::ready::to_read | system::ready::to_write);
    if (sent.error != 0) return break_off(text_of(sent.error));
    written_ += sent.count;
  }
  output_.clear();
  written_ = 0;
  if (socket_.is_open()) wait_for(system::ready::to_read);
}

/// Others on the loop have their turn after a few pieces.
void Connection::read() {
  constexpr int pieces = 16;
  for (int i = 0; i < pieces && socket_.is_open(); ++i) {
    if (!read_some()) return;
  }
}

bool Connection::read_some() {
  std::array<char, std::size_t{16} << 10> bytes{};
  const Moved received = receive_some(socket_.get(), bytes);
  if (received.must_wait) return false;
  if (received.count == 0) {
    break_off(received.error == 0 ? "it has closed the connection" : text_of(received.error));
    return false;
  }
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
