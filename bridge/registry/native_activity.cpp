// A function of this program as an Activity.
#include <toolwire/bridge/activity.hpp>

namespace toolwire::bridge {
namespace {

class FunctionActivity : public Activity {
 public:
  explicit FunctionActivity(NativeActivity function) : function_(std::move(function)) {}

  void start(const Call& call, ActivityContext& context, Reply reply) override {
    reply(function_(call.parameters, call, context));
  }
  std::string_view kind() const override { return "native"; }

 private:
  const NativeActivity function_;
};

}  // namespace

ActivityPointer make_activity(NativeActivity function) {
  return std::make_shared<FunctionActivity>(std::move(function));
}

}  // namespace toolwire::bridge
