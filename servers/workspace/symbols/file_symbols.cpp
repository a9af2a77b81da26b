#include "workspace/symbols/file_symbols.hpp"

#include <utility>

#include "workspace/system/file_bytes.hpp"
#include "workspace/text/credentials.hpp"
#include "workspace/text/encoding.hpp"

namespace workspace {
namespace {

// All there are of a large program; beyond that what was remembered is forgotten.
constexpr std::size_t most_symbols = 200'000;

}  // namespace

std::string source_text(int descriptor, Secrets secrets, const std::stop_token& stop, const TextTest& is_wanted) {
  std::string text = all_bytes(descriptor, max_bytes_tagged, stop);
  const Encoding encoding = encoding_of_whole(text);
  if (encoding == Encoding::binary) return {};
  if (encoding != Encoding::utf8) text = to_utf8(text, encoding);
  if (is_wanted && !is_wanted(text)) return {};
  if (secrets == Secrets::left_out) mask_credentials(text);
  return text;
}

std::optional<FileSymbols> SymbolStore::known(const Root& root, const std::string& path, const FileState& state) const {
  const std::lock_guard lock(mutex_);
  const auto found = remembered_.find({&root, path});
  if (found == remembered_.end() || !is_same_version(found->second.state, state)) return std::nullopt;
  return found->second.symbols;
}

void SymbolStore::remember(const SymbolFile& file, const FileSymbols& symbols) {
  const std::size_t more = symbols == nullptr ? 1 : symbols->size() + 1;
  const std::lock_guard lock(mutex_);
  if (count_ + more > most_symbols) {
    remembered_.clear();
    count_ = 0;
  }
  count_ += more;
  remembered_[{file.root, file.path}] = {file.state, symbols};
}

std::vector<FileSymbols> SymbolStore::find(std::vector<SymbolFile> files, const std::stop_token& stop) {
  std::vector<Source> sources;
  for (SymbolFile& file : files) sources.push_back({file.path.substr(file.path.rfind('/') + 1), std::move(file.text)});
  std::vector<TaggedSource> tagged = ctags_.tag(sources, stop);
  std::vector<FileSymbols> found;
  for (std::size_t i = 0; i < files.size(); ++i) {
    found.push_back(tagged[i] ? std::make_shared<const std::vector<Symbol>>(std::move(*tagged[i])) : nullptr);
    remember(files[i], found.back());
  }
  return found;
}

}  // namespace workspace
