#include "commands/token_file.hpp"

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <toolwire/http/authenticators.hpp>
#include <toolwire/system/log_line.hpp>
#include <toolwire/system/private_file.hpp>

namespace toolwire::bridge {
namespace {

constexpr std::size_t max_token_file = std::size_t{1} << 20;

std::string text_of_tokens(const std::string& path) {
  const system::PrivateFile file(path, system::PrivateFile::Access::read);
  const auto text = file.is_open() ? file.read_all(max_token_file) : std::nullopt;
  if (!text)
    throw std::invalid_argument(
        "expected a file of yours that nobody else can read or write (chmod 600), of at most 1 MiB: " + path);
  return *text;
}

http::Authenticate asking_for(std::string_view text, bool needs_scopes) {
  std::vector<http::KnownToken> tokens = http::known_tokens_in(text);
  for (const http::KnownToken& one : tokens) {
    if (!needs_scopes && !one.principal.scopes.empty())
      throw std::invalid_argument("expected \"NAME TOKEN\", found more behind the token of " + one.principal.id +
                                  ": no tool here asks for scopes");
  }
  return http::known_tokens(std::move(tokens));
}

}  // namespace

TokenFile::TokenFile(std::string path, bool needs_scopes)
    : path_(std::move(path)), needs_scopes_(needs_scopes), tokens_(read()) {}

std::shared_ptr<const TokenFile::Tokens> TokenFile::read() const try {
  auto made = std::make_shared<Tokens>();
  made->text = text_of_tokens(path_);
  made->authenticate = asking_for(made->text, needs_scopes_);
  return made;
} catch (const std::invalid_argument& error) {
  throw std::invalid_argument(std::string("--token-file: ") + error.what());
}

std::shared_ptr<const TokenFile::Tokens> TokenFile::tokens() const {
  const MutexLock lock(mutex_);
  return tokens_;
}

http::Authenticate TokenFile::authenticate() {
  return [self = shared_from_this()](const http::Request& head, Done<Principal> done) {
    self->tokens()->authenticate(head, std::move(done));
  };
}

void TokenFile::read_again() try {
  auto edited = read();
  {
    const MutexLock lock(mutex_);
    if (edited->text == tokens_->text) return;
    tokens_.swap(edited);
  }
  log_line("the file of tokens was read again");
} catch (const std::exception& error) {
  log_line(std::string(error.what()) + "; the tokens stay as they were");
}

}  // namespace toolwire::bridge
