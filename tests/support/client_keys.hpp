// Keys of clients that sign who they are, made and checked by OpenSSL's program.
#pragma once

#include <sodium.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <toolwire/json.hpp>
#include <utility>
#include <vector>

#include "scratch_folder.hpp"

namespace toolwire_test {

/// What a signed token consists of.
struct AssertionParts {
  explicit AssertionParts(const std::string& assertion) {
    const std::size_t first = assertion.find('.');
    const std::size_t second = assertion.rfind('.');
    text = assertion.substr(0, second);
    head = toolwire::parse_json(decoded(assertion.substr(0, first))).get_object();
    claims = toolwire::parse_json(decoded(assertion.substr(first + 1, second - first - 1))).get_object();
    signature = decoded(assertion.substr(second + 1));
  }

  toolwire::JsonObject head;
  toolwire::JsonObject claims;
  std::string text;  // that is signed
  std::string signature;

 private:
  static std::string decoded(const std::string& text) {
    std::string bytes(text.size(), '\0');
    std::size_t size = 0;
    if (sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), text.data(), text.size(),
                          nullptr, &size, nullptr, sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0)
      return {};
    bytes.resize(size);
    return bytes;
  }
};

/// Files in PEM: a key for ES256; and if all are wanted a key of each kind, and what is none.
class TestKeys {
 public:
  enum class Which { one, all };

  explicit TestKeys(const ScratchFolder& folder, Which which = Which::all) : folder_(folder.text()) {
    const std::string curve = "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:";
    make("p256.pem", curve + "P-256");
    if (which == Which::one) return;
    const std::string rsa = "genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:";
    make("rsa.pem", rsa + "2048");
    make("short.pem", rsa + "1024");
    make("p384.pem", curve + "P-384");
    make("ed25519.pem", "genpkey -algorithm ED25519");
    make("public.pem", "pkey -pubout -in p256.pem");
    make("locked.pem", curve + "P-256 -aes256 -pass pass:secret");
    make("readable.pem", curve + "P-256");
    namespace fs = std::filesystem;
    fs::permissions(fs::path(folder_) / "readable.pem", fs::perms::group_read, fs::perm_options::add);
    fs::create_symlink("p256.pem", fs::path(folder_) / "link.pem");
    run("umask 077; : > empty.pem");
  }

  /// A file for each algorithm.
  static std::vector<std::pair<std::string, std::string>> of_algorithms() {
    return {{"RS256", "rsa.pem"},
            {"PS256", "rsa.pem"},
            {"ES256", "p256.pem"},
            {"ES384", "p384.pem"},
            {"EdDSA", "ed25519.pem"}};
  }

  bool verify(const std::string& file, const std::string& algorithm, const AssertionParts& parts) const {
    write("text", parts.text);
    write("signature", algorithm.starts_with("ES") ? der_of(parts.signature) : parts.signature);
    run("openssl pkey -pubout -in " + file + " -out of-" + file + " 2> errors");
    const std::string digest = algorithm == "ES384" ? "-sha384 " : "-sha256 ";
    const std::string pss = algorithm == "PS256" ? "-sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:32 " : "";
    return run(algorithm == "EdDSA"
                   ? "openssl pkeyutl -verify -pubin -inkey of-" + file +
                         " -rawin -in text -sigfile signature > said 2>&1"
                   : "openssl dgst " + digest + pss + "-verify of-" + file + " -signature signature text > said 2>&1");
  }

 private:
  bool run(const std::string& command) const {
    return std::system(("cd '" + folder_ + "' && " + command).c_str()) == 0;  // NOLINT(concurrency-mt-unsafe)
  }
  void make(const std::string& file, const std::string& words) const {
    if (!run("umask 077; openssl " + words + " -out " + file + " 2> errors")) std::abort();
  }
  void write(const std::string& file, const std::string& bytes) const {
    std::ofstream(folder_ + "/" + file, std::ios::binary) << bytes;
  }

  /// SEQUENCE of two INTEGERs (X.690).
  static std::string der_of(const std::string& both) {
    const auto integer = [](std::string bytes) {
      while (bytes.size() > 1 && bytes.front() == '\0') bytes.erase(0, 1);
      if ((static_cast<unsigned char>(bytes.front()) & 0x80U) != 0) bytes.insert(0, 1, '\0');
      return std::string("\x02") + static_cast<char>(bytes.size()) + bytes;
    };
    const std::string body = integer(both.substr(0, both.size() / 2)) + integer(both.substr(both.size() / 2));
    return std::string("\x30") + static_cast<char>(body.size()) + body;  // fewer than 128 bytes
  }

  std::string folder_;
};

}  // namespace toolwire_test
