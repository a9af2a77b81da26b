// Why a value does not fit: walks value and program once more and collects every violation. Whether something holds is
// decided by the evaluator, so the two cannot disagree. Independent of how programs are made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/evaluator.hpp"

namespace toolwire::schema {

/// Lives for one value that was refused. One thread; program and value must outlive it.
class Explanation {
 public:
  static constexpr std::size_t max_violations = 1000;

  explicit Explanation(const Program& program) : program_(program), evaluator_(program) {}

  /// The violations of the value against the node; never empty.
  std::vector<SchemaViolation> run(std::uint32_t index, const Json& value);

 private:
  /// A place in the value while the walk is below it.
  class Step {
   public:
    Step(Explanation& walk, std::string_view name);
    Step(Explanation& walk, std::size_t index);
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    ~Step();

   private:
    Explanation& walk_;
    std::size_t pointer_size_, display_size_;
  };

  bool stopped() const { return evaluator_.exhausted() || found_.size() >= max_violations; }
  bool refuses_all(std::uint32_t index) const;
  void report(std::uint32_t at, std::string_view keyword, std::string message);

  void missing(std::uint32_t at, std::string_view keyword, std::string_view name, std::string message);

  void node(std::uint32_t index, const Json& value, std::uint32_t parent, std::string_view keyword);
  void failed(std::uint32_t at, const Instruction& instruction, const Json& value, Marks* marks);
  void failed_scalar(std::uint32_t at, const Instruction& instruction, const Json& value);
  void failed_object(std::uint32_t at, const Instruction& instruction, const Json& value, Marks* marks);
  void failed_array(std::uint32_t at, const Instruction& instruction, const JsonArray& elements, Marks* marks);
  void failed_logic(std::uint32_t at, const Instruction& instruction, const Json& value);
  void members(std::uint32_t at, const ObjectPlan& plan, const JsonObject& object);
  void additional_member(std::uint32_t at, const ObjectPlan& plan, const JsonObject::value_type& member);
  void property_names(std::uint32_t at, std::uint32_t child, const JsonObject& object);
  void dependent_required(std::uint32_t at, const Dependencies& plan, const JsonObject& object);
  void contains(std::uint32_t at, const ContainsPlan& plan, const JsonArray& elements);
  void choice(std::uint32_t at, std::uint32_t first, std::uint32_t last, bool exactly_one, const Json& value);
  void nothing_fits(std::uint32_t at, std::uint32_t first, std::uint32_t last, std::string_view keyword,
                    const Json& value);
  void tagged(std::uint32_t at, const TaggedPlan& plan, const Json& value);
  std::vector<SchemaViolation> apart(std::uint32_t child, const Json& value);

  const Program& program_;
  Evaluator evaluator_;
  std::vector<SchemaViolation> found_;
  std::string pointer_, display_;
  int depth_ = 0;
};

}  // namespace toolwire::schema
