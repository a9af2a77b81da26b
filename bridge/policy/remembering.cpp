#include "policy/remembering.hpp"

#include <string>
#include <toolwire/bridge/policy.hpp>
#include <utility>

namespace toolwire::bridge {
namespace {

bool has_other_answers(const JsonObject& answers) { return answers.size() > (answers.contains(Approval::key) ? 1 : 0); }

class Remembering : public Activity {
 public:
  Remembering(ActivityPointer inner, std::shared_ptr<ResultCache> cache, std::chrono::milliseconds time)
      : inner_(std::move(inner)), cache_(std::move(cache)), time_(time) {}

  void start(const Call& call, ActivityContext& context, Reply reply) override {
    if (has_other_answers(context.request().answers())) return inner_->start(call, context, std::move(reply));
    std::string caller(context.request().principal().id);
    if (auto result = cache_->find(call.tool, call.parameters, caller)) return reply(std::move(*result));
    auto outer = std::make_shared<Reply>(std::move(reply));
    auto keep = [cache = cache_, time = time_, began = cache_->generation(), tool = call.tool,
                 parameters = call.parameters, caller = std::move(caller), outer](AnyOutcome&& outcome) {
      cache->keep(tool, parameters, outcome, time, began, caller);
      (*outer)(std::move(outcome));
    };
    outer.reset();
    inner_->start(call, context, Reply(std::move(keep)));
  }
  std::string_view kind() const override { return inner_->kind(); }

 private:
  const ActivityPointer inner_;
  const std::shared_ptr<ResultCache> cache_;
  const std::chrono::milliseconds time_;
};

}  // namespace

ActivityPointer remembering(ActivityPointer inner, std::shared_ptr<ResultCache> cache, std::chrono::milliseconds time) {
  return std::make_shared<Remembering>(std::move(inner), std::move(cache), time);
}

}  // namespace toolwire::bridge
