#include "scripts.hpp"

#include <utility>
#include <variant>

#include "client.hpp"

namespace toolwire::redis {
namespace {

/// A script that is to run; its texts last until it has.
struct Run {
  std::shared_ptr<Client> client;
  Script script;
  std::string count;
  std::vector<std::string> texts;  // the keys, and then the arguments
  Done<Reply> done;
};

void ask(const Run& run, std::string_view command, std::string_view script, Done<Reply> done) {
  std::vector<std::string_view> all{command, script, run.count};
  all.insert(all.end(), run.texts.begin(), run.texts.end());
  run.client->ask(all, std::move(done));
}

bool is_unknown(const Done<Reply>::Result& result) {
  const auto* const reply = std::get_if<Reply>(&result);
  return reply != nullptr && reply->kind == Reply::Kind::error && reply->text.starts_with("NOSCRIPT");
}

void hand_over(Done<Reply>& done, Done<Reply>::Result&& result) {
  if (auto* const reply = std::get_if<Reply>(&result)) return done(std::move(*reply));
  done.fail(std::get<std::exception_ptr>(result));
}

}  // namespace

void run(const std::shared_ptr<Client>& client, const Script& script, const std::vector<std::string>& keys,
         const std::vector<std::string>& arguments, Done<Reply> done) {
  std::vector<std::string> texts = keys;
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  const auto run =
      std::make_shared<Run>(Run{client, script, std::to_string(keys.size()), std::move(texts), std::move(done)});
  ask(*run, "EVALSHA", script.sha1, Done<Reply>([run](Done<Reply>::Result&& result) {
    if (is_unknown(result)) return ask(*run, "EVAL", run->script.text, std::move(run->done));
    hand_over(run->done, std::move(result));
  }));
}

}  // namespace toolwire::redis
