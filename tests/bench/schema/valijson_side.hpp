// valijson behind a small interface, so that its headers are compiled in one file only, without our warnings.
#pragma once

#include <memory>

#include "toolwire/json.hpp"

/// One schema compiled by valijson; for one thread.
class ValijsonSchema {
 public:
  explicit ValijsonSchema(const toolwire::Json& schema);
  ~ValijsonSchema();
  bool is_valid(const toolwire::Json& value) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};
