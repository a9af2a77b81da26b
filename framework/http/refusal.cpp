#include "refusal.hpp"

#include <utility>

#include "runtime/batch_answers.hpp"
#include "toolwire/error.hpp"

namespace toolwire::http {

std::string error_body(int code, std::string_view message, std::string_view id_text, std::string_view data) {
  std::string body = R"({"jsonrpc":"2.0",)";
  if (!id_text.empty()) body.append("\"id\":").append(id_text).append(",");
  body.append("\"error\":");
  runtime::append_error(body, code, message, data);
  return body.append("}");
}

Refusal refusal(int status, std::string_view message, std::vector<Field> fields) {
  return {status, error_body(error_code::invalid_request, "Invalid Request: " + std::string(message)),
          std::move(fields), std::string(message)};
}

Reply reply_of(const Refusal& refusal) {
  Reply reply{.status = refusal.status, .fields = refusal.fields, .body = refusal.body};
  if (!reply.body.empty()) reply.fields.push_back({"Content-Type", "application/json"});
  return reply;
}

void send(const Refusal& refusal, Exchange& exchange) { send(reply_of(refusal), exchange); }

}  // namespace toolwire::http
