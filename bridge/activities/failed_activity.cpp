#include "activities/failed_activity.hpp"

#include <memory>
#include <utility>

namespace toolwire::bridge {
namespace {

class FailedActivity : public Activity {
 public:
  explicit FailedActivity(std::string why) : why_(std::move(why)) {}

  void start(const Call& call, ActivityContext&, Reply reply) override {
    reply(failure("activity_missing", "\"" + call.tool + "\" cannot run: " + why_, false));
  }
  std::string_view kind() const override { return failed_kind; }

 private:
  const std::string why_;
};

}  // namespace

ActivityPointer make_failed_activity(std::string why) { return std::make_shared<FailedActivity>(std::move(why)); }

}  // namespace toolwire::bridge
