#include "workspace/system/call_frames.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace workspace {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;
constexpr std::uint64_t most_texts = 100'000;

struct FrameHead {
  FrameKind kind;
  std::int32_t value;
  std::uint64_t size;
};

bool send_all(int socket, const void* from, std::size_t size) {
  for (const char* at = static_cast<const char*>(from); size > 0;) {
    const ssize_t sent = ::send(socket, at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int socket, void* into, std::size_t size) {
  for (char* at = static_cast<char*>(into); size > 0;) {
    const ssize_t got = ::recv(socket, at, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

void append(std::string& to, std::uint64_t number) { to.append(reinterpret_cast<const char*>(&number), sizeof number); }

void append(std::string& to, std::string_view text) {
  append(to, std::uint64_t{text.size()});
  to += text;
}

void append(std::string& to, const std::vector<std::string>& texts) {
  append(to, std::uint64_t{texts.size()});
  for (const std::string& text : texts) append(to, std::string_view(text));
}

/// Reads what `append` wrote. Once something does not fit, all that follows is empty.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : rest_(bytes) {}

  bool fit() const { return fit_; }

  std::string text() {
    const std::uint64_t size = number();
    if (size > rest_.size()) return fail();
    std::string result{rest_.substr(0, size)};
    rest_.remove_prefix(size);
    return result;
  }

  std::vector<std::string> texts() {
    const std::uint64_t count = number();
    if (count > most_texts) fail();
    std::vector<std::string> result;
    for (std::uint64_t i = 0; fit_ && i < count; ++i) result.push_back(text());
    return result;
  }

 private:
  std::uint64_t number() {
    std::uint64_t result = 0;
    if (rest_.size() < sizeof result) fail();
    if (!fit_) return 0;
    std::memcpy(&result, rest_.data(), sizeof result);
    rest_.remove_prefix(sizeof result);
    return result;
  }

  std::string fail() {
    fit_ = false;
    rest_ = {};
    return {};
  }

  std::string_view rest_;
  bool fit_ = true;
};

/// A message of one byte with room for one descriptor beside it.
struct DescriptorMessage {
  DescriptorMessage() {
    header.msg_iov = &bytes;
    header.msg_iovlen = 1;
    header.msg_control = room;
    header.msg_controllen = sizeof room;
  }
  DescriptorMessage(const DescriptorMessage&) = delete;
  DescriptorMessage& operator=(const DescriptorMessage&) = delete;

  char byte = 0;
  iovec bytes{&byte, 1};
  alignas(cmsghdr) char room[CMSG_SPACE(sizeof(int))] = {};
  msghdr header{};
};

}  // namespace

bool send_run(int socket, const ProgramRun& run) {
  std::string bytes;
  append(bytes, std::string_view(run.program));
  append(bytes, run.arguments);
  append(bytes, run.environment);
  append(bytes, std::string_view(run.directory));
  append(bytes, std::string_view(run.input));
  const std::uint64_t size = bytes.size();
  return size <= most_bytes && send_all(socket, &size, sizeof size) && send_all(socket, bytes.data(), bytes.size());
}

std::optional<ProgramRun> receive_run(int socket) {
  std::uint64_t size = 0;
  if (!receive_all(socket, &size, sizeof size) || size > most_bytes) return std::nullopt;
  std::string bytes(size, '\0');
  if (!receive_all(socket, bytes.data(), bytes.size())) return std::nullopt;
  Fields fields{bytes};
  ProgramRun run;
  run.program = fields.text();
  run.arguments = fields.texts();
  run.environment = fields.texts();
  run.directory = fields.text();
  run.input = fields.text();
  return fields.fit() ? std::optional(std::move(run)) : std::nullopt;
}

bool send_frame(int socket, FrameKind kind, int value, std::string_view bytes) {
  FrameHead head{};
  std::memset(&head, 0, sizeof head);
  head.kind = kind;
  head.value = value;
  head.size = bytes.size();
  return send_all(socket, &head, sizeof head) && send_all(socket, bytes.data(), bytes.size());
}

std::optional<Frame> receive_frame(int socket) {
  FrameHead head{};
  if (!receive_all(socket, &head, sizeof head) || head.size > most_bytes) return std::nullopt;
  Frame frame{.kind = head.kind, .value = head.value, .bytes = std::string(head.size, '\0')};
  return receive_all(socket, frame.bytes.data(), frame.bytes.size()) ? std::optional(std::move(frame)) : std::nullopt;
}

bool send_descriptor(int socket, int descriptor) {
  DescriptorMessage message;
  cmsghdr* const beside = CMSG_FIRSTHDR(&message.header);
  beside->cmsg_level = SOL_SOCKET;
  beside->cmsg_type = SCM_RIGHTS;
  beside->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(beside), &descriptor, sizeof descriptor);
  return ::sendmsg(socket, &message.header, MSG_NOSIGNAL) == 1;
}

int receive_descriptor(int socket) {
  DescriptorMessage message;
  ssize_t got = 0;
  while ((got = ::recvmsg(socket, &message.header, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
  }
  const cmsghdr* const beside = got == 1 ? CMSG_FIRSTHDR(&message.header) : nullptr;
  if (beside == nullptr || beside->cmsg_type != SCM_RIGHTS) return -1;
  int descriptor = -1;
  std::memcpy(&descriptor, CMSG_DATA(beside), sizeof descriptor);
  return descriptor;
}

}  // namespace workspace
