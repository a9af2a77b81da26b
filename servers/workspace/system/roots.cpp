#include "workspace/system/roots.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <toolwire/error.hpp>
#include <utility>

#include "workspace/text/shown_path.hpp"

namespace workspace {
namespace {

constexpr std::size_t shown_bytes = 300;

struct Given {
  std::string name;
  std::string directory;
};

// "NAME=DIR", unless the part before the sign is a path, or the whole exists as it is.
Given given_root(const std::string& text) {
  const std::size_t sign = text.find('=');
  std::error_code ignored;
  const bool has_name =
      sign != std::string::npos && sign > 0 && text.find('/') > sign && !std::filesystem::exists(text, ignored);
  if (has_name) return {text.substr(0, sign), text.substr(sign + 1)};
  const std::filesystem::path path = std::filesystem::absolute(text, ignored).lexically_normal();
  return {(path.has_filename() ? path.filename() : path.parent_path().filename()).string(), text};
}

void check_name(const std::string& name) {
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos) {
    throw std::invalid_argument("a root has no usable name: \"" + name + "\"; give it one: --root NAME=DIR");
  }
}

/// What may be changed below a folder may be changed in all folders below it.
void check_apart(const Root& read_only, const Root& changed) {
  std::error_code ignored;
  const std::filesystem::path inner = std::filesystem::weakly_canonical(read_only.path(), ignored);
  const std::filesystem::path outer = std::filesystem::weakly_canonical(changed.path(), ignored);
  if (std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first != outer.end()) return;
  throw std::invalid_argument("--read-only: " + read_only.path() + " lies in " + changed.path() +
                              ", which is a root for changing too; expected folders that lie apart");
}

}  // namespace

Roots::Roots(Root only) { entries_.push_back({"", std::move(only)}); }

Roots Roots::from(const std::vector<std::string>& given, Secrets secrets, const std::vector<std::string>& read_only) {
  const std::size_t count = given.size() + read_only.size();
  if (count == 0) return Roots{Root::working_directory(secrets)};
  Roots roots;
  const auto add = [&](const std::string& text, Changes changes) {
    Given one = given_root(text);
    if (count == 1) one.name.clear();
    if (count > 1) check_name(one.name);
    Root root = Root::at(one.directory, secrets, changes);
    if (count > 1) root.set_prefix(one.name + '/');
    roots.entries_.push_back({std::move(one.name), std::move(root)});
  };
  for (const std::string& text : given) add(text, Changes::allowed);
  for (const std::string& text : read_only) add(text, Changes::refused);
  std::sort(roots.entries_.begin(), roots.entries_.end(),
            [](const Named& a, const Named& b) { return a.name + '/' < b.name + '/'; });
  roots.check();
  return roots;
}

void Roots::check() const {
  for (std::size_t i = 1; i < entries_.size(); ++i) {
    if (entries_[i].name == entries_[i - 1].name)
      throw std::invalid_argument("two roots are named \"" + entries_[i].name + "\"; name them: --root NAME=DIR");
  }
  for (const Root* const one : all()) {
    for (const Root* const other : all()) {
      const bool can_be_used = one->problem().empty() && other->problem().empty();
      if (can_be_used && one->is_read_only() && !other->is_read_only()) check_apart(*one, *other);
    }
  }
}

bool Roots::are_read_only() const {
  return std::all_of(entries_.begin(), entries_.end(), [](const Named& entry) { return entry.root.is_read_only(); });
}

std::string Roots::problem() const {
  std::string text;
  for (const Named& entry : entries_) {
    if (entry.root.problem().empty()) continue;
    text += (text.empty() ? "" : "; ") + entry.root.problem();
  }
  return text;
}

std::string Roots::text() const {
  if (!has_names()) return entries_.front().root.path();
  std::string text;
  for (const Named& entry : entries_) {
    text += (text.empty() ? "" : ", ") + entry.name + "/ (" + entry.root.path();
    text += entry.root.is_read_only() ? ", for reading only)" : ")";
  }
  return text;
}

void Roots::refuse(std::string_view path) const {
  throw toolwire::ToolError("path: " + shown_path(path, shown_bytes) +
                            " is outside the workspace; expected a path that begins with one of its roots: " + text());
}

Located Roots::locate(std::string_view path) const {
  if (!has_names()) return {&entries_.front().root, std::string(path), ""};
  std::string_view wanted = path;
  while (wanted.starts_with("./")) wanted.remove_prefix(2);
  const Named* innermost = nullptr;  // that has this absolute path
  for (const Named& entry : entries_) {
    const std::string prefix = entry.name + '/';
    if (wanted == entry.name || wanted == prefix) return {&entry.root, ".", prefix};
    if (wanted.starts_with(prefix)) return {&entry.root, std::string(wanted.substr(prefix.size())), prefix};
    const std::string& top = entry.root.path();
    const bool is_below = wanted.starts_with('/') && (wanted == top || wanted.starts_with(top + '/'));
    if (is_below && (innermost == nullptr || innermost->root.path().size() < top.size())) innermost = &entry;
  }
  if (innermost == nullptr) refuse(path);
  return {&innermost->root, std::string(wanted), innermost->name + '/'};
}

std::vector<Located> Roots::below(std::string_view path) const {
  const bool is_top = path == "." || path == "./";
  if (!has_names() || !is_top) return {locate(path)};
  std::vector<Located> places;
  for (const Named& entry : entries_) places.push_back({&entry.root, ".", entry.name + '/'});
  return places;
}

std::vector<const Root*> Roots::all() const {
  std::vector<const Root*> roots;
  for (const Named& entry : entries_) roots.push_back(&entry.root);
  return roots;
}

}  // namespace workspace
