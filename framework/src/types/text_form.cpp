#include "types/text_form.hpp"

#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "schema/formats.hpp"
#include "schema/pattern.hpp"
#include "toolwire/detail/shared_mutex.hpp"

namespace toolwire::types {
namespace {

/// Every pattern that was asked for, compiled. They are in the source of the program, so they are not too many.
class Patterns {
 public:
  const schema::Pattern& compiled(std::string_view pattern) {
    if (const schema::Pattern* const known = find(pattern)) return *known;
    schema::Pattern made = compile(pattern);
    const ExclusiveLock lock(mutex_);
    return known_.try_emplace(std::string(pattern), std::move(made)).first->second;
  }

 private:
  const schema::Pattern* find(std::string_view pattern) {
    const SharedLock lock(mutex_);
    const auto known = known_.find(pattern);
    return known == known_.end() ? nullptr : &known->second;  // stays where it is, as none is taken away
  }

  static schema::Pattern compile(std::string_view pattern) {
    try {
      return schema::Pattern(pattern);
    } catch (const schema::PatternError& error) {
      throw std::invalid_argument(std::string("the pattern ") + error.what());
    }
  }

  SharedMutex mutex_;
  std::map<std::string, schema::Pattern, std::less<>> known_ TOOLWIRE_GUARDED_BY(mutex_);
};

const schema::Pattern& compiled(std::string_view pattern) {
  static Patterns& patterns = *new Patterns;  // for threads that outlive main
  return patterns.compiled(pattern);
}

schema::Format known(std::string_view format) {
  const auto found = schema::find_format(format);
  if (!found) throw std::invalid_argument("there is no format \"" + std::string(format) + "\" in JSON Schema");
  return *found;
}

}  // namespace

void check_text_form(const FieldInfo& field) {
  if (!field.pattern.empty()) compiled(field.pattern);
  if (!field.format.empty()) known(field.format);
}

std::string wrong_form(const FieldInfo& field, std::string_view text) {
  if (!field.pattern.empty() && !compiled(field.pattern).matches(text)) {
    return "does not match the pattern " + std::string(field.pattern);
  }
  if (!field.format.empty() && !schema::format_holds(known(field.format), text)) {
    return "is not a valid " + std::string(field.format);
  }
  return {};
}

std::string form_phrase(const FieldInfo& field) {
  std::string phrase;
  if (!field.pattern.empty()) phrase.append(" that matches ").append(field.pattern);
  if (!field.format.empty()) phrase.append(" in the format ").append(field.format);
  return phrase;
}

}  // namespace toolwire::types
