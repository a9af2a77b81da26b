// A file's new content in one step: written beside it under another name, then renamed over it. Whoever reads the file,
// and whatever happens meanwhile, finds the old content or the new, never a part. Independent of the content.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <toolwire/system/file_descriptor.hpp>

namespace toolwire::system {

/// The new file while it does not have its name yet; removed again unless it was put in place. A process that is
/// killed may leave a file ".toolwire-*.tmp" behind, see `remove_old_drafts`. One thread. All that fails throws
/// std::system_error naming the file.
class NewFile {
 public:
  /// Beside `path`, which is relative to `directory`, an opened folder that outlives this. `mode`: the rights of the
  /// new file, less those in the umask.
  NewFile(int directory, std::string path, unsigned mode);
  /// Beside `path` as the process sees it.
  NewFile(std::string path, unsigned mode);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();

  /// Open until `close`.
  [[nodiscard]] int descriptor() const { return file_.get(); }

  /// Gives it the rights of another file, which is relative to the same folder, and its owner and group where the
  /// process may. Where it may not, setuid and setgid are not taken over either.
  void take_after(const std::string& existing) const;

  void write(std::string_view content);
  /// Brings the content to the disk (fsync), so that it is there before the file has its name.
  void keep_content() const;

  /// Closes the file: some file systems say only now what could not be written.
  void close();

  /// Gives the file its name, in the place of what is there, if anything.
  void replace();
  /// Gives the file its name in the place of one that holds just `expected`. False if that holds something else, also
  /// if it does only since this moment or is being written: then it stands there, whole, and none of it is lost. Where
  /// the file system cannot exchange two files, what is written in the moment before is lost.
  [[nodiscard]] bool replace_expected(std::string_view expected);
  /// Gives the file its name unless something is there: that is the error EEXIST.
  void put_at_free_name();

 private:
  [[noreturn]] void fail(int error) const;
  [[nodiscard]] int exchange() const;
  void put_back();

  /// Of which file, and as of when.
  struct Content {
    std::uint64_t device = 0, number = 0;
    std::int64_t size = 0, seconds = 0, nanoseconds = 0;
    bool operator==(const Content&) const = default;
  };
  [[nodiscard]] static Content content_of(int file);

  const int directory_;
  const std::string path_;
  const std::string draft_;
  FileDescriptor file_;
  Content content_;
  bool in_place_ = false;
};

/// Whether a name is that of a NewFile before it is put in place.
bool is_draft_name(std::string_view name);

/// Removes what processes that were killed have left in an opened folder: regular files of this user with such a name
/// that nobody has written to for a minute. What cannot be removed stays.
void remove_old_drafts(int directory);
/// The same of a folder as the process sees it.
void remove_old_drafts(const std::string& folder);

/// Writes a new file, with mode 0644 less the umask, in the place of `path`, after removing old drafts beside it.
/// Throws std::system_error naming the file; the old one is unchanged then. What a power failure leaves is up to the
/// system.
void replace_file(const std::string& path, std::string_view content);

/// Removes a file that holds just `expected`. Otherwise as NewFile::replace_expected; throws std::system_error.
[[nodiscard]] bool remove_expected(const std::string& path, std::string_view expected);

/// Renames, in the place of what is there. Paths are relative to opened folders. Returns 0 or an errno.
int rename_over(int from_directory, const std::string& from, int to_directory, const std::string& to);

/// Renames without ever replacing what is there. Otherwise as `rename_over`.
int rename_to_free_name(int from_directory, const std::string& from, int to_directory, const std::string& to);

}  // namespace toolwire::system
