// Files of hosts, of any bytes: a server is refused, or comes without another byte changed and goes again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "edit/json_edit.hpp"
#include "edit/toml_edit.hpp"
#include "edited_texts.hpp"

using namespace toolwire;
using namespace toolwire::edit;

namespace {

const JsonObject entry{{"command", "/bin/x"}, {"args", JsonArray{"a\"b"}}, {"env", JsonObject{{"K", "v"}}}};

void require(bool holds) {
  if (!holds) std::abort();
}

/// Whether an object that has become empty may stay, so that the bytes are not all those of before.
enum class Leaves { nothing, empty_object };

template <class With, class Without>
void hold(const std::string& text, bool had_it, Leaves leaves, With with, Without without) {
  const std::string edited = with(text);
  const std::string gone = without(edited);
  if (had_it) return;
  require(toolwire_test::only_adds(text, edited));
  require(toolwire_test::only_adds(gone, edited));
  if (leaves == Leaves::nothing) require(gone == text);
}

void edit_json(const std::string& text, Comments comments) try {
  const MemberPath path{"mcpServers", "x"};
  const auto servers = json_member(text, comments, {"mcpServers"});
  const bool has_others = servers && servers->is_object() && !servers->get_object().empty();
  hold(
      text, json_member(text, comments, path).has_value(), has_others ? Leaves::nothing : Leaves::empty_object,
      [&](const std::string& of) { return with_json_member(of, comments, path, entry); },
      [&](const std::string& of) { return without_json_member(of, comments, path); });
} catch (const Malformed&) {
}

void edit_toml(const std::string& text) try {
  const TomlKeys path{"mcp_servers", "x"};
  const auto servers = toml_member(text, {"mcp_servers"});
  const bool may_be_inline = servers && servers->get_object().empty();
  hold(
      text, toml_member(text, path).has_value(), may_be_inline ? Leaves::empty_object : Leaves::nothing,
      [&](const std::string& of) { return with_toml_table(of, path, entry); },
      [&](const std::string& of) { return without_toml_table(of, path); });
} catch (const Malformed&) {
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  edit_json(text, Comments::allowed);
  edit_json(text, Comments::allowed_without_last_comma);
  edit_json(text, Comments::refused);
  edit_toml(text);
  return 0;
}
