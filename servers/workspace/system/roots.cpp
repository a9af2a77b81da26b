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

}  // namespace

Roots::Roots(Root only) { entries_.push_back({"", std::move(only)}); }

Roots Roots::from(const std::vector<std::string>& given, Secrets secrets) {
  if (given.empty()) return Roots{Root::working_directory(secrets)};
  if (given.size() == 1) return Roots{Root::at(given_root(given.front()).directory, secrets)};
  Roots roots;
  for (const std::string& text : given) {
    const Given one = given_root(text);
    check_name(one.name);
    roots.entries_.push_back({one.name, Root::at(one.directory, secrets)});
  }
  std::sort(roots.entries_.begin(), roots.entries_.end(),
            [](const Named& a, const Named& b) { return a.name + '/' < b.name + '/'; });
  for (std::size_t i = 1; i < roots.entries_.size(); ++i) {
    if (roots.entries_[i].name == roots.entries_[i - 1].name)
      throw std::invalid_argument("two roots are named \"" + roots.entries_[i].name + "\"; name them: --root NAME=DIR");
  }
  return roots;
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
  for (const Named& entry : entries_) text += (text.empty() ? "" : ", ") + entry.name + "/ (" + entry.root.path() + ')';
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
  for (const Named& entry : entries_) {
    const std::string prefix = entry.name + '/';
    if (wanted == entry.name || wanted == prefix) return {&entry.root, ".", prefix};
    if (wanted.starts_with(prefix)) return {&entry.root, std::string(wanted.substr(prefix.size())), prefix};
    const bool is_below = wanted == entry.root.path() || wanted.starts_with(entry.root.path() + '/');
    if (wanted.starts_with('/') && is_below) return {&entry.root, std::string(wanted), prefix};
  }
  refuse(path);
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
