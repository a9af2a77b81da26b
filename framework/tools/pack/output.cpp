#include "output.hpp"

#include <filesystem>
#include <list>
#include <stdexcept>
#include <system_error>
#include <toolwire/system/new_file.hpp>

namespace toolwire::pack {

void write_all(const std::string& folder, const std::vector<PackedFile>& files) {
  namespace fs = std::filesystem;
  std::string place = folder;
  try {
    fs::create_directories(folder);
    system::remove_old_drafts(folder);
    std::list<system::NewFile> drafts;
    for (const PackedFile& file : files) {
      place = (fs::path(folder) / file.name).string();
      if (fs::is_directory(place)) throw std::system_error(std::make_error_code(std::errc::is_a_directory));
      system::NewFile& draft = drafts.emplace_back(place, file.mode);
      draft.write(file.content);
      draft.keep_content();
      draft.close();
    }
    for (system::NewFile& draft : drafts) draft.replace();
  } catch (const std::system_error& error) {
    throw std::runtime_error(place + ": cannot be written: " + error.code().message());
  }
}

}  // namespace toolwire::pack
