// judged_client: a client that `toolwire-conformance client` judges; right, or wrong in the way that --fault says.
//   judged_client [--fault NAME] [--modern | --dual] [--declare] [--listen] [--call TOOL ARGUMENTS] -- SERVER…
#include <algorithm>
#include <cstdio>

#include "session.hpp"

using namespace judged_client;

namespace {

using Words = std::vector<std::string>;

/// Takes an option with its values. False if there is no such option.
bool take(Settings& settings, Words::const_iterator& word, Words::const_iterator end) {
  const auto left = end - word;
  if (*word == "--fault" && left > 1)
    settings.faults.insert(*++word);
  else if (*word == "--call" && left > 2)
    settings.tool = *++word, settings.arguments = *++word;
  else if (*word == "--modern")
    settings.modern = true;
  else if (*word == "--dual")
    settings.dual = true;
  else if (*word == "--declare")
    settings.declares = true;
  else if (*word == "--listen")
    settings.listens = true;
  else
    return false;
  return true;
}

bool read(const Words& words, Settings& settings) {
  const auto separator = std::find(words.begin(), words.end(), "--");
  if (separator == words.end()) return false;
  settings.server.assign(separator + 1, words.end());
  for (auto word = words.begin(); word != separator; ++word) {
    if (!take(settings, word, separator)) return false;
  }
  return !settings.server.empty();
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  if (!read({argv + 1, argv + argc}, settings)) return std::fputs("judged_client: see main.cpp\n", stderr), 2;
  try {
    Session(settings).run();
    return 0;
  } catch (const Ends& end) {
    if (end.word.empty()) return 0;
    std::fprintf(stderr, "judged_client: %s\n", end.word.c_str());
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "judged_client: %s\n", error.what());
    return 1;
  }
}
