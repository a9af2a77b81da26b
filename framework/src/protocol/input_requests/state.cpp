#include "protocol/input_requests/state.hpp"

#include <sodium.h>

#include <algorithm>
#include <toolwire/json_members.hpp>
#include <utility>

#include "json/parse.hpp"
#include "json/writer.hpp"

namespace toolwire::protocol {
namespace {

constexpr std::size_t nonce_size = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t id_size = std::tuple_size_v<decltype(id_of(StateKey{}))>;
constexpr std::size_t tag_size = crypto_aead_xchacha20poly1305_ietf_ABYTES;
constexpr std::string_view purpose =
    "toolwire requestState 3";  // authenticated with the rest: seals of other kinds do not open
constexpr int base64_variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;

const unsigned char* bytes(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }
unsigned char* bytes(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

void write_canonical(std::string& out, const Json& value);

void write_canonical_object(std::string& out, const JsonObject& object) {
  std::vector<const JsonObject::value_type*> members;
  for (const auto& member : object) members.push_back(&member);
  std::sort(members.begin(), members.end(), [](auto* a, auto* b) { return a->key() < b->key(); });
  out.push_back('{');
  for (const auto* member : members) {
    json::write_string(out, member->key());
    out.push_back(':');
    write_canonical(out, member->value());
    out.push_back(',');
  }
  out.push_back('}');
}

void write_canonical(std::string& out, const Json& value) {  // depth is bounded by the parser
  if (const JsonObject* object = value.if_object()) {
    write_canonical_object(out, *object);
  } else if (const JsonArray* array = value.if_array()) {
    out.push_back('[');
    for (const Json& element : *array) {
      write_canonical(out, element);
      out.push_back(',');
    }
    out.push_back(']');
  } else {
    json::write(out, value);  // whole doubles are written as integers, so 1 and 1.0 are the same
  }
}

std::string id_text(const StateKey& key) {
  const auto id = id_of(key);
  return {id.begin(), id.end()};
}

std::string encode(std::string_view raw) {
  std::string text(sodium_base64_encoded_len(raw.size(), base64_variant), '\0');
  sodium_bin2base64(text.data(), text.size(), bytes(raw), raw.size(), base64_variant);
  text.pop_back();  // the terminating NUL
  return text;
}

std::optional<std::string> decode(std::string_view text) {
  std::string raw(text.size(), '\0');
  std::size_t size = 0;
  const char* end = nullptr;
  int failed =
      sodium_base642bin(bytes(raw), raw.size(), text.data(), text.size(), nullptr, &size, &end, base64_variant);
  if (failed != 0 || end != text.data() + text.size()) return std::nullopt;
  raw.resize(size);
  return raw;
}

std::string as_text(const State& state) {
  JsonArray asked;
  JsonObject shown;
  for (const AskedQuestion& question : state.asked) {
    asked.emplace_back(question.key);
    if (question.shown_key != question.key) shown[question.key] = question.shown_key;
  }
  auto expires = std::chrono::duration_cast<std::chrono::milliseconds>(state.expires.time_since_epoch()).count();
  JsonObject object{{"subject", state.subject},
                    {"arguments", state.arguments_digest},
                    {"asked", std::move(asked)},
                    {"answers", state.answers},
                    {"expires", expires}};
  if (!shown.empty()) object["shown"] = std::move(shown);
  if (!state.caller.empty()) object["caller"] = state.caller;
  return to_json_text(object);
}

/// The text is authenticated, so it has the form that `as_text` gave it.
State from_text(std::string_view text) {
  Json value = parse_json(text, {.max_depth = 1024});
  JsonObject& object = value.get_object();
  State state;
  state.subject = std::string_view(object.at("subject").get_string());
  state.arguments_digest = std::string_view(object.at("arguments").get_string());
  for (const Json& asked : object.at("asked").get_array()) {
    const std::string key(std::string_view(asked.get_string()));
    state.asked.push_back({key, text_or(member_or_null(object, "shown"), key, key)});
  }
  state.answers = std::move(object.at("answers").get_object());
  state.expires =
      std::chrono::system_clock::time_point(std::chrono::milliseconds(object.at("expires").to_number<std::int64_t>()));
  if (const Json* caller = object.if_contains("caller")) state.caller = std::string_view(caller->get_string());
  return state;
}

/// Null if it was sealed with neither.
const StateKey* key_of(std::string_view sealed, const StateKeys& keys) {
  if (sealed.starts_with(id_text(keys.first))) return &keys.first;
  return keys.second && sealed.starts_with(id_text(*keys.second)) ? &*keys.second : nullptr;
}

std::optional<std::string> opened(std::string_view sealed, const StateKey& key) {
  const unsigned char* const nonce = bytes(sealed) + id_size;
  const std::size_t size = sealed.size() - id_size - nonce_size;
  std::string plain(size - tag_size, '\0');
  const int forged = crypto_aead_xchacha20poly1305_ietf_decrypt(
      bytes(plain), nullptr, nullptr, nonce + nonce_size, size, bytes(purpose), purpose.size(), nonce, key.data());
  return forged == 0 ? std::optional(std::move(plain)) : std::nullopt;
}

}  // namespace

std::string digest_of(const Json& arguments) {
  std::string canonical;
  write_canonical(canonical, arguments);
  std::string digest(32, '\0');
  crypto_generichash(bytes(digest), digest.size(), bytes(std::string_view(canonical)), canonical.size(), nullptr, 0);
  return encode(digest);
}

std::string seal(const State& state, const StateKey& key, std::size_t bound) {
  const std::string plain = as_text(state);
  std::string sealed = id_text(key);
  sealed.resize(id_size + nonce_size + plain.size() + tag_size);
  unsigned char* const nonce = bytes(sealed) + id_size;
  randombytes_buf(nonce, nonce_size);
  crypto_aead_xchacha20poly1305_ietf_encrypt(nonce + nonce_size, nullptr, bytes(std::string_view(plain)), plain.size(),
                                             bytes(purpose), purpose.size(), nullptr, nonce, key.data());
  std::string text = encode(sealed);
  return text.size() <= bound ? text : std::string();
}

/// Three bytes are four characters.
std::string_view nonce_of(std::string_view text) {
  static_assert(id_size % 3 == 0 && nonce_size % 3 == 0);
  constexpr std::size_t begin = id_size / 3 * 4;
  return text.substr(std::min(begin, text.size()), nonce_size / 3 * 4);
}

bool is_of_known_key(std::string_view text, const StateKeys& keys) {
  const auto id = decode(text.substr(0, id_size / 3 * 4));
  return id && key_of(*id, keys) != nullptr;
}

std::optional<State> unseal(std::string_view text, const StateKeys& keys, std::size_t bound,
                            std::chrono::system_clock::time_point now) {
  if (text.size() > bound) return std::nullopt;
  const std::optional<std::string> sealed = decode(text);
  if (!sealed || sealed->size() < id_size + nonce_size + tag_size) return std::nullopt;
  const StateKey* const key = key_of(*sealed, keys);
  const auto plain = key != nullptr ? opened(*sealed, *key) : std::nullopt;
  if (!plain) return std::nullopt;
  State state = from_text(*plain);
  if (state.expires <= now) return std::nullopt;
  return state;
}

}  // namespace toolwire::protocol
