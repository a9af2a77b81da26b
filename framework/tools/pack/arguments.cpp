#include "arguments.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <toolwire/text.hpp>

#include "install/request.hpp"

namespace toolwire::pack {
namespace {

using install::Misuse;

constexpr std::string_view one_folder = "{folder:", several_folders = "{folders:";
constexpr std::string_view setting = "${user_config.", own_folder = "${__dirname}";
constexpr std::size_t longest_key = 50;

bool is_key(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !text.empty() && text.size() <= longest_key && is_letter(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

/// A placeholder in an argument.
struct Placeholder {
  std::size_t begin = 0, end = 0;
  std::string key = {};
  bool several = false;
};

std::optional<Placeholder> placeholder_in(const std::string& word, std::size_t from = 0) {
  const std::size_t one = word.find(one_folder, from), several = word.find(several_folders, from);
  if (one == std::string::npos && several == std::string::npos) return std::nullopt;
  Placeholder found{.begin = std::min(one, several), .several = several < one};
  const std::size_t key = found.begin + (found.several ? several_folders : one_folder).size();
  const std::size_t end = word.find('}', key);
  if (end != std::string::npos) found.key = word.substr(key, end - key);
  if (!is_key(found.key))
    throw Misuse("the argument \"" + word + "\": expected {folder:KEY} or {folders:KEY}, KEY being a letter, then " +
                 "letters, digits and _, at most " + std::to_string(longest_key));
  found.end = end + 1;
  return found;
}

/// "notes_folder" as people write it: "Notes folder".
std::string title_of(const std::string& key) {
  std::string title = key;
  std::ranges::replace(title, '_', ' ');
  if (title.front() >= 'a' && title.front() <= 'z') title.front() = static_cast<char>(title.front() - 'a' + 'A');
  return title;
}

void note_folder(Arguments& arguments, const Placeholder& found,
                 const std::map<std::string, std::string>& descriptions) {
  const auto known = std::ranges::find(arguments.folders, found.key, &UserFolder::key);
  if (known != arguments.folders.end()) {
    if (known->several == found.several) return;
    throw Misuse("the arguments: \"" + found.key + "\" stands there as {folder:…} and as {folders:…}; expected one");
  }
  const auto own = descriptions.find(found.key);
  const char* const usual =
      found.several ? "The folders that the server works in" : "The folder that the server works in";
  arguments.folders.push_back(
      {.key = found.key, .several = found.several, .description = own == descriptions.end() ? usual : own->second});
}

Argument argument_from(const std::string& word, Arguments& arguments,
                       const std::map<std::string, std::string>& descriptions) {
  if (!text::is_valid(word)) throw Misuse("the arguments: expected UTF-8");
  if (word.find("${") != std::string::npos)
    throw Misuse("the argument \"" + word + "\": expected no ${, which hosts replace");
  const auto found = placeholder_in(word);
  if (!found) return {.before = word};
  if (placeholder_in(word, found->end))
    throw Misuse("the argument \"" + word + "\": expected one folder in an argument");
  if (found->several && (found->begin != 0 || found->end != word.size()))
    throw Misuse("the argument \"" + word + "\": expected {folders:" + found->key +
                 "} alone, because each of the folders becomes an argument");
  note_folder(arguments, *found, descriptions);
  return {.before = word.substr(0, found->begin), .key = found->key, .behind = word.substr(found->end)};
}

/// The values of the setting that is all of an argument.
const std::vector<std::string>* values_of(std::string_view argument, const ChosenValues& chosen) {
  if (!argument.starts_with(setting) || !argument.ends_with('}')) return nullptr;
  const auto found = chosen.find(std::string(argument.substr(setting.size(), argument.size() - setting.size() - 1)));
  return found == chosen.end() ? nullptr : &found->second;
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

JsonObject registry_argument(const Argument& argument, const std::vector<UserFolder>& folders) {
  if (!argument.key) return {{"type", "positional"}, {"value", argument.before}};
  const UserFolder& folder = *std::ranges::find(folders, *argument.key, &UserFolder::key);
  const JsonObject input{{"description", folder.description}, {"isRequired", true}, {"format", "filepath"}};
  if (!argument.before.empty() || !argument.behind.empty())
    return {{"type", "positional"},
            {"value", argument.before + "{" + folder.key + "}" + argument.behind},
            {"variables", JsonObject{{folder.key, input}}}};
  JsonObject whole{{"type", "positional"}, {"valueHint", folder.key}};
  whole.insert(input.begin(), input.end());
  if (folder.several) whole["isRepeated"] = true;
  return whole;
}

}  // namespace

Arguments arguments_from(const std::vector<std::string>& words,
                         const std::map<std::string, std::string>& descriptions) {
  Arguments arguments;
  for (const std::string& word : words) arguments.all.push_back(argument_from(word, arguments, descriptions));
  for (const auto& [key, description] : descriptions) {
    if (std::ranges::find(arguments.folders, key, &UserFolder::key) == arguments.folders.end())
      throw Misuse("--folder: expected {folder:" + key + "} or {folders:" + key + "} in the server's arguments");
  }
  return arguments;
}

std::vector<std::string> filled(const Arguments& arguments, const ChosenValues& chosen) {
  std::vector<std::string> words;
  for (const Argument& argument : arguments.all) {
    if (!argument.key) {
      words.push_back(argument.before);
      continue;
    }
    for (const std::string& folder : chosen.at(*argument.key))
      words.push_back(argument.before + folder + argument.behind);
  }
  return words;
}

JsonArray bundle_arguments(const Arguments& arguments) {
  JsonArray words;
  for (const Argument& argument : arguments.all)
    words.emplace_back(argument.key ? argument.before + std::string(setting) + *argument.key + "}" + argument.behind
                                    : argument.before);
  return words;
}

JsonObject bundle_settings(const Arguments& arguments) {
  JsonObject settings;
  for (const UserFolder& folder : arguments.folders) {
    JsonObject one{{"type", "directory"},
                   {"title", title_of(folder.key)},
                   {"description", folder.description},
                   {"required", true}};
    if (folder.several) one["multiple"] = true;
    settings[folder.key] = std::move(one);
  }
  return settings;
}

std::vector<std::string> arguments_by_host(const JsonArray& arguments, const std::string& folder,
                                           const ChosenValues& chosen) {
  std::vector<std::string> words;
  for (const Json& argument : arguments) {
    std::string word(std::string_view(argument.as_string()));
    if (const auto* const values = values_of(word, chosen)) {
      words.insert(words.end(), values->begin(), values->end());
      continue;
    }
    replace_all(word, std::string(own_folder), folder);
    for (const auto& [key, values] : chosen)
      replace_all(word, std::string(setting) + key + "}", values.empty() ? std::string() : values.front());
    words.push_back(std::move(word));
  }
  return words;
}

JsonArray registry_arguments(const Arguments& arguments) {
  JsonArray words;
  for (const Argument& argument : arguments.all) words.push_back(registry_argument(argument, arguments.folders));
  return words;
}

}  // namespace toolwire::pack
