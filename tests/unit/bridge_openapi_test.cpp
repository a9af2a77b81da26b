// What is made of an OpenAPI description: tools, bindings, and what is said of the rest.
#define BOOST_TEST_MODULE bridge_openapi_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>

#include "openapi/import.hpp"

using namespace toolwire;
using namespace toolwire::bridge;
using openapi::import_description;
using openapi::Imported;
using openapi::ImportReading;

namespace {

/// A description with these paths, and more members.
std::string description(const std::string& paths, const std::string& more = "", const char* version = "3.0.3") {
  return std::string(R"j({"openapi": ")j") + version +
         R"j(", "info": {"title": "Pet store", "version": "2.1"}, "servers": [{"url": "https://pets.example/v1/"}],
"paths": )j" +
         paths + more + "}";
}

/// The only operation of a description.
struct One {
  explicit One(const std::string& operation, const std::string& more = "", const char* version = "3.0.3",
               const std::string& path = "/pets/{id}", const std::string& method = "get")
      : reading(import_description(
            description("{\"" + path + "\": {\"" + method + "\": " + operation + "}}", more, version), "pets.json",
            {})) {
    if (!reading.imported) return;
    tool = reading.imported->manifest.at("tools").at(0);
    binding = reading.imported->bindings.at("bindings").as_object().begin()->value().at("http");
  }
  const Json& property(const char* name) const { return tool.at("parameters").at("properties").at(name); }
  bool says(const std::string& text) const {
    return std::ranges::any_of(
        reading.hints, [&](const ManifestProblem& hint) { return hint.message().find(text) != std::string::npos; });
  }
  const ImportReading reading;
  Json tool = {};
  Json binding = {};
};

std::string problem_of(const ImportReading& reading) {
  return reading.problems.empty() ? "" : reading.problems.front().message();
}

}  // namespace

BOOST_AUTO_TEST_CASE(parameters_of_path_query_and_header_stand_in_their_places) {
  const One one(R"j({"operationId": "getPet", "summary": "Finds a pet", "description": "By its number.", "parameters": [
    {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}, "description": "Its number"},
    {"name": "fields", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}},
    {"name": "tags", "in": "query", "explode": false, "schema": {"type": "array", "items": {"type": "string"}}},
    {"name": "X-Trace", "in": "header", "required": true, "schema": {"type": "string"}},
    {"name": "Accept", "in": "header", "schema": {"type": "string"}}]})j");
  BOOST_TEST(one.tool.at("name") == Json("getPet"));
  BOOST_TEST(one.tool.at("description") == Json("Finds a pet\n\nBy its number."));
  BOOST_TEST(one.property("id") == (Json{{"type", "integer"}, {"description", "Its number"}}));
  BOOST_TEST(one.property("fields").at("type") == Json("array"));
  BOOST_TEST(one.property("tags").at("type") == Json("string"));
  BOOST_TEST(one.tool.at("parameters").at("required") == (Json{"id", "X_Trace"}));
  BOOST_TEST(one.tool.at("parameters").at("properties").as_object().size() == 4U);
  BOOST_TEST(one.binding.at("url") == Json("https://pets.example/v1/pets/{id}"));
  BOOST_TEST(one.binding.at("method") == Json("GET"));
  BOOST_TEST(one.binding.at("query") == (Json{{"fields", "{fields?}"}, {"tags", "{tags?}"}}));
  BOOST_TEST(one.binding.at("headers") == (Json{{"X-Trace", "{X_Trace}"}}));
  BOOST_TEST(one.tool.at("metadata").at("requires_approval") == Json(false));
}

BOOST_AUTO_TEST_CASE(names_that_meet_or_mean_something_else_are_changed) {
  const One one(R"j({"parameters": [
    {"name": "id", "in": "path", "required": true, "schema": {"type": "string"}},
    {"name": "id", "in": "query", "schema": {"type": "string"}},
    {"name": "_output", "in": "query", "schema": {"type": "string"}},
    {"name": "filter", "in": "query", "style": "deepObject", "schema": {"type": "object",
      "required": ["from"], "properties": {"from": {"type": "string"}, "to": {"type": "string"}}}}]})j");
  BOOST_TEST(one.tool.at("name") == Json("get_pets__id_"));
  BOOST_TEST(one.binding.at("query") == (Json{{"id", "{id_2?}"},
                                              {"_output", "{output?}"},
                                              {"filter[from]", "{filter_from?}"},
                                              {"filter[to]", "{filter_to?}"}}));
}

/// As in OData and JSON-LD.
BOOST_AUTO_TEST_CASE(names_that_begin_with_a_sign_go_on_without_it) {
  const One one(R"j({"parameters": [{"name": "$filter", "in": "query", "schema": {"type": "string"}},
    {"name": "filter", "in": "query", "schema": {"type": "string"}}],
    "requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {
    "@odata.type": {"type": "string"}, "$": {"type": "string"}}}}}}})j",
                "", "3.0.3", "/users", "patch");
  BOOST_TEST_REQUIRE(one.reading.imported.has_value());
  BOOST_TEST(one.binding.at("query") == (Json{{"$filter", "{filter?}"}, {"filter", "{filter_2?}"}}));
  BOOST_TEST(one.binding.at("body") == (Json{{"@odata.type", "{odata_type?}"}, {"$", "{value?}"}}));
}

BOOST_AUTO_TEST_CASE(parameters_of_a_path_are_shared_and_replaced) {
  const ImportReading reading = import_description(description(R"j({"/a/{x}": {
    "parameters": [{"name": "x", "in": "path", "required": true, "schema": {"type": "string"}},
                   {"$ref": "#/components/parameters/limit"}],
    "get": {"operationId": "a", "parameters": [{"name": "limit", "in": "query", "required": true,
      "schema": {"type": "boolean"}}]},
    "delete": {"operationId": "b"}}})j",
                                                               R"j(, "components": {"parameters": {"limit":
    {"name": "limit", "in": "query", "schema": {"type": "integer"}}}})j"),
                                                   "pets.json", {});
  const JsonArray& tools = reading.imported.value().manifest.at("tools").as_array();
  BOOST_REQUIRE(tools.size() == 2U);
  BOOST_TEST(tools[0].at_pointer("/parameters/properties/limit/type") == Json("boolean"));
  BOOST_TEST(tools[1].at_pointer("/parameters/properties/limit/type") == Json("integer"));
  BOOST_TEST(
      tools[1].at_pointer("/metadata") ==
      (Json{
          {"enabled_by_default", true}, {"requires_approval", true}, {"modifies_state", true}, {"idempotent", true}}));
}

BOOST_AUTO_TEST_CASE(members_of_a_body_are_parameters) {
  const One one(R"j({"operationId": "addPet", "requestBody": {"content": {"application/json": {"schema":
    {"$ref": "#/components/schemas/Pet"}}}}})j",
                R"j(, "components": {"schemas": {"Pet": {"type": "object", "required": ["id", "name"], "properties": {
    "id": {"type": "integer", "readOnly": true}, "name": {"type": "string", "example": "Rex", "xml": {}},
    "age": {"type": "integer", "minimum": 0, "exclusiveMinimum": true, "nullable": true},
    "owner": {"$ref": "#/components/schemas/Owner"}}}, "Owner": {"type": "string", "enum": ["a"], "nullable": true}}})j",
                "3.0.3", "/pets", "post");
  BOOST_TEST(one.tool.at("parameters") == (Json{{"type", "object"},
                                                {"properties",
                                                 {{"name", {{"type", "string"}}},
                                                  {"age", {{"type", {"integer", "null"}}, {"exclusiveMinimum", 0}}},
                                                  {"owner", {{"type", {"string", "null"}}, {"enum", {"a", nullptr}}}}}},
                                                {"required", JsonArray{"name"}},
                                                {"additionalProperties", false}}));
  BOOST_TEST(one.binding.at("body") == (Json{{"name", "{name}"}, {"age", "{age?}"}, {"owner", "{owner?}"}}));
}

/// An update of one member must not set the others to what new things have.
BOOST_AUTO_TEST_CASE(what_a_service_assumes_by_itself_is_told_and_not_sent) {
  const One one(R"j({"parameters": [{"name": "page", "in": "query", "description": "Which one",
    "schema": {"type": "integer", "default": 1}}], "requestBody": {"content": {"application/json": {"schema":
    {"type": "object", "properties": {"private": {"type": "boolean", "default": false},
    "more": {"type": "object", "properties": {"deep": {"type": "integer", "default": 5}}},
    "text": {"type": "string", "default": ")j" +
                    std::string(200, 'x') + R"j("}}}}}}})j",
                "", "3.1.0", "/repos", "patch");
  BOOST_TEST(one.property("page") == (Json{{"type", "integer"}, {"description", "Which one (default: 1)"}}));
  BOOST_TEST(one.property("private") == (Json{{"type", "boolean"}, {"description", "Default: false"}}));
  BOOST_TEST(one.property("text") == (Json{{"type", "string"}}));
  BOOST_TEST(one.property("more").at_pointer("/properties/deep/default") == Json(5));  // those are not filled in
}

BOOST_AUTO_TEST_CASE(a_path_has_its_values_as_it_says) {
  const One one(R"j({"parameters": [
    {"name": "id", "in": "path", "required": true, "style": "label", "schema": {"type": "integer"}},
    {"name": "m", "in": "path", "required": true, "style": "matrix", "schema": {"type": "integer"}},
    {"name": "ids", "in": "path", "required": true, "schema": {"type": "array", "items": {"type": "integer"}}},
    {"name": "X-Ids", "in": "header", "schema": {"type": "array", "items": {"type": "string"}}}]})j",
                "", "3.0.3", "/a/{id}/{m}/{ids}");
  BOOST_TEST(one.binding.at("url") == Json("https://pets.example/v1/a/.{id}/;m={m}/{ids}"));
  BOOST_TEST(one.property("ids").at("type") == Json("string"));
  BOOST_TEST(one.property("X_Ids").at("description") == Json(" (several: separated by commas)"));
  const One apart(R"j({"operationId": "share"})j", "", "3.0.3", "/files/{id}#share", "put");
  BOOST_TEST(apart.binding.at("url") == Json("https://pets.example/v1/files/{id}"));
  const One object(R"j({"parameters": [{"name": "o", "in": "header", "schema": {"type": "object"}}]})j");
  BOOST_TEST(object.says("parameters/0: an object in a path or a header is not carried over"));
  BOOST_TEST(object.binding.as_object().contains("headers") == false);
}

BOOST_AUTO_TEST_CASE(an_operation_that_needs_a_deep_object_nobody_knows_is_left_out) {
  const std::string paths = R"j({"/a": {"get": {}, "delete": {"parameters": [{"name": "f", "in": "query",
    "style": "deepObject", "required": true, "schema": {"type": "object"}}]}}})j";
  const ImportReading reading = import_description(description(paths), "pets.json", {});
  BOOST_TEST(reading.imported.value().left_out == 1U);
  BOOST_TEST(reading.hints.at(0).message().find("the operation needs it and is left out") != std::string::npos);
  const One needed(R"j({"parameters": [{"name": "f", "in": "query", "style": "deepObject", "required": true,
    "schema": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"},
    "b": {"type": "array", "items": {"type": "string"}}, "c": {"type": "object"}}}}]})j");
  BOOST_TEST(needed.binding.at("query") == (Json{{"f[a]", "{f_a}"}, {"f[b][]", "{f_b?}"}}));
  BOOST_TEST(needed.says("an object inside of \"f[c]\" is not carried over"));
}

/// As Stripe has them.
BOOST_AUTO_TEST_CASE(a_form_is_written_as_its_encoding_says) {
  const One one(R"j({"requestBody": {"content": {"application/x-www-form-urlencoded": {
    "encoding": {"card": {"style": "deepObject"}, "expand": {"style": "deepObject"}, "meta": {"style": "deepObject"},
      "name": {"style": "deepObject"}},
    "schema": {"type": "object", "properties": {"card": {"type": "object", "properties": {"number": {"type": "string"}}},
      "expand": {"type": "array", "items": {"type": "string"}}, "tags": {"type": "array", "items": {"type": "string"}},
      "meta": {"anyOf": [{"type": "object", "additionalProperties": {"type": "string"}}, {"enum": [""]}]},
      "name": {"anyOf": [{"type": "string"}, {"enum": [""], "type": "string"}]}}}}}}})j",
                "", "3.0.3", "/charges", "post");
  BOOST_TEST(
      one.binding.at("form") ==
      (Json{{"card[number]", "{card_number?}"}, {"expand[]", "{expand?}"}, {"tags", "{tags?}"}, {"name", "{name?}"}}));
  BOOST_TEST(one.says("an object inside of \"meta\" is not carried over"));
  const One list(R"j({"requestBody": {"required": false, "content": {"application/x-www-form-urlencoded": {
    "schema": {"type": "object", "properties": {}}}}}})j");
  BOOST_TEST(list.reading.imported.has_value());
  BOOST_TEST(list.reading.hints.empty());
  BOOST_TEST(!list.binding.as_object().contains("form"));
  const One search(R"j({"requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}}})j");
  BOOST_TEST(search.says("requestBody: no body is sent with GET and HEAD"));
  BOOST_TEST(!search.binding.as_object().contains("body"));
}

BOOST_AUTO_TEST_CASE(a_body_is_of_the_type_that_the_service_takes) {
  const auto type = [](const std::string& media) {
    const One one(R"j({"requestBody": {"content": {)j" + media + R"j(}}})j", "", "3.1.0", "/a", "patch");
    const Json* const headers = one.binding.as_object().if_contains("headers");
    return headers == nullptr ? Json() : headers->at("Content-Type");
  };
  BOOST_TEST(type(R"j("application/merge-patch+json": {})j") == Json("application/merge-patch+json"));
  BOOST_TEST(type(R"j("application/json-patch+json": {}, "application/json; charset=utf-8": {})j") == Json());
  BOOST_TEST(type(R"j("*/*": {})j") == Json());
}

BOOST_AUTO_TEST_CASE(a_body_of_another_kind_is_one_parameter) {
  const One list(R"j({"requestBody": {"required": true, "content": {"application/json": {"schema":
    {"type": "array", "items": {"type": "integer"}}}}}})j",
                 "", "3.1.0", "/pets", "put");
  BOOST_TEST(list.binding.at("body") == Json("{body}"));
  BOOST_TEST(list.property("body").at("type") == Json("array"));
  const One form(R"j({"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": {"type": "object",
    "required": ["a"], "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}}}}})j",
                 "", "3.1.0", "/pets", "post");
  BOOST_TEST(form.binding.at("form") == (Json{{"a", "{a}"}, {"b", "{b?}"}}));
  const One none(R"j({"parameters": [{"name": "a", "in": "query", "schema": {}}]})j", "", "3.1.0", "/pets", "post");
  BOOST_TEST(none.binding.at("form") == Json(JsonObject()));  // else the parameters would be sent as JSON
}

BOOST_AUTO_TEST_CASE(what_contains_itself_stays_a_reference_inside_the_tool) {
  const One one(R"j({"requestBody": {"required": true, "content": {"application/json": {"schema":
    {"$ref": "#/components/schemas/Tree"}}}}})j",
                R"j(, "components": {"schemas": {"Tree": {"type": "object", "properties": {"name": {"type": "string"},
    "leaves": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}}}}}})j",
                "3.1.0", "/trees", "post");
  BOOST_TEST(one.property("body").at("$ref") == Json("#/$defs/Tree"));
  BOOST_TEST(one.tool.at_pointer("/parameters/$defs/Tree/properties/leaves/items") == (Json{{"$ref", "#/$defs/Tree"}}));
}

BOOST_AUTO_TEST_CASE(security_becomes_headers_with_variables) {
  const std::string schemes = R"j(, "security": [{"key": []}], "components": {"securitySchemes": {
    "key": {"type": "apiKey", "in": "header", "name": "X-Key"}, "token": {"type": "http", "scheme": "Bearer"},
    "login": {"type": "http", "scheme": "basic"}, "jar": {"type": "apiKey", "in": "cookie", "name": "sid"},
    "app": {"type": "oauth2", "flows": {}}, "query": {"type": "apiKey", "in": "query", "name": "key"}}})j";
  const auto headers = [&](const std::string& security) {
    const One one("{" + security + "}", schemes);
    const Json* const found = one.binding.as_object().if_contains("headers");
    return found == nullptr ? Json() : *found;
  };
  BOOST_TEST(headers("") == (Json{{"X-Key", "${env:PET_STORE_KEY}"}}));
  BOOST_TEST(headers(R"j("security": [])j") == Json());
  BOOST_TEST(headers(R"j("security": [{"token": []}])j") == (Json{{"Authorization", "Bearer ${env:PET_STORE_TOKEN}"}}));
  BOOST_TEST(headers(R"j("security": [{"login": []}])j") == (Json{{"Authorization", "Basic ${env:PET_STORE_LOGIN}"}}));
  BOOST_TEST(headers(R"j("security": [{"jar": []}])j") == (Json{{"Cookie", "sid=${env:PET_STORE_JAR}"}}));
  BOOST_TEST(headers(R"j("security": [{"query": []}, {"app": [], "key": []}])j") ==
             (Json{{"Authorization", "Bearer ${env:PET_STORE_APP}"}, {"X-Key", "${env:PET_STORE_KEY}"}}));
  const One one(R"j({"security": [{"query": []}]})j", schemes);
  BOOST_TEST(one.says("/paths/~1pets~1{id}/get/security: not carried over"));
  BOOST_TEST(one.reading.imported->variables.empty());
  BOOST_TEST(One("{}", schemes).reading.imported->variables.at("PET_STORE_KEY") == "the header X-Key");
}

BOOST_AUTO_TEST_CASE(headers_that_no_request_may_have_are_no_parameters) {
  for (const char* const name : {"Accept-Encoding", "connection", "Transfer-Encoding", "TE", "Expect", "Upgrade"}) {
    const One one(std::string(R"j({"parameters": [{"in": "header", "required": true, "schema": {}, "name": ")j") +
                  name + R"j("}]})j");
    BOOST_TEST(one.binding.as_object().if_contains("headers") == nullptr, name);
    BOOST_TEST(one.tool.at("parameters").at("required") == (Json{"id"}), name);
  }
  const One odd(R"j({"parameters": [{"in": "header", "name": "two words", "schema": {}}]})j");
  BOOST_TEST(odd.says("/parameters/0: no header has the name \"two words\""));
  BOOST_TEST(odd.binding.as_object().if_contains("headers") == nullptr);
}

BOOST_AUTO_TEST_CASE(a_name_of_a_key_that_is_no_name_takes_no_variable_along) {
  for (const char* const in : {"header", "cookie"}) {
    for (const char* const name : {"a=${env:SECRET}; sid", "sid=1; other", "X\\u001b[31m", "two words", ""}) {
      const One one(R"j({"security": [{"key": []}]})j",
                    std::string(R"j(, "components": {"securitySchemes": {"key": {"type": "apiKey", "in": ")j") + in +
                        R"j(", "name": ")j" + name + R"j("}}})j");
      BOOST_TEST(one.binding.as_object().if_contains("headers") == nullptr);
      BOOST_TEST(one.says("/security: not carried over"));
      BOOST_TEST(one.reading.imported->variables.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(what_is_not_carried_over_is_said_with_its_place) {
  const One cookie(R"j({"parameters": [{"name": "c", "in": "cookie", "schema": {}}]})j");
  BOOST_TEST(cookie.says("pets.json:2: /paths/~1pets~1{id}/get/parameters/0: parameters in \"cookie\""));
  const One callbacks(R"j({"callbacks": {}})j", R"j(, "webhooks": {})j", "3.1.0");
  BOOST_TEST(callbacks.says("/paths/~1pets~1{id}/get/callbacks: not carried over"));
  BOOST_TEST(callbacks.says("/webhooks: not carried over"));
  const One outside(R"j({"parameters": [{"name": "a", "in": "query", "schema": {"$ref": "other.json#/A"}}]})j");
  BOOST_TEST(outside.says("/schema/$ref: leads nowhere in this file, so any value fits: \"other.json#/A\""));
  const One object(R"j({"parameters": [{"name": "a", "in": "query", "schema": {"type": "object"}}]})j");
  BOOST_TEST(object.says("an object in the query is carried over with the style \"deepObject\" only"));
  const std::string upload = R"j({"requestBody": {"required": true, "content": {"multipart/form-data": {}}}})j";
  const ImportReading left =
      import_description(description("{\"/a\": {\"get\": {}, \"post\": " + upload + "}}"), "pets.json", {});
  BOOST_TEST(left.imported.value().tools == 1U);
  BOOST_TEST(left.imported.value().left_out == 1U);
  BOOST_TEST(left.hints.at(0).message().find("the operation needs it and is left out") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_pattern_that_cannot_be_run_leaves_its_operation_out) {
  const ImportReading reading =
      import_description(description(R"j({"/a": {"get": {}, "delete": {"parameters": [{"name": "a", "in": "query",
        "schema": {"type": "string", "pattern": "(?<!x)y"}}]}}})j"),
                         "pets.json", {});
  BOOST_TEST(reading.imported.value().left_out == 1U);
  BOOST_TEST(reading.hints.at(0).message().find("/paths/~1a/delete: left out: /parameters") != std::string::npos,
             reading.hints.at(0).message());
}

BOOST_AUTO_TEST_CASE(servers_are_found_from_the_inside_out) {
  const auto url = [](const std::string& operation, const std::string& more, const std::string& base = "") {
    const std::string text =
        R"j({"openapi": "3.1.0", "info": {}, "paths": {"/a": {"get": )j" + operation + "}}" + more + "}";
    const ImportReading reading = import_description(text, "pets.json", {.base_url = base});
    if (!reading.imported) return problem_of(reading);
    return std::string(std::string_view(
        reading.imported->bindings.at("bindings").as_object().begin()->value().at_pointer("/http/url").as_string()));
  };
  BOOST_TEST(url(R"j({"servers": [{"url": "https://{region}.x/{v}", "variables": {"region": {"default": "eu"},
    "v": {"default": "v2"}}}]})j",
                 R"j(, "servers": [{"url": "https://y"}])j") == "https://eu.x/v2/a");
  BOOST_TEST(url("{}", R"j(, "servers": [{"url": "https://y"}])j") == "https://y/a");
  BOOST_TEST(url("{}", "").find("/servers: expected an http or https URL; say with --base-url") != std::string::npos);
  BOOST_TEST(url("{}", R"j(, "servers": [{"url": "/v1"}])j").find("/servers/0: expected an http") != std::string::npos);
  BOOST_TEST(url("{}", "", "http://localhost:8080/v1") == "http://localhost:8080/v1/a");
}

BOOST_AUTO_TEST_CASE(a_description_of_too_many_values_is_refused) {
  std::string numbers = "[1";
  for (std::size_t i = 0; i < 10 * usual_json_values; ++i) numbers += ",1";
  const std::string text = description("{}", R"j(, "x-data": )j" + numbers + "]");
  BOOST_TEST(problem_of(import_description(text, "x", {})).find("expected at most 8000000 values") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_is_no_description_is_refused) {
  const auto refused = [](const std::string& text) { return problem_of(import_description(text, "x", {})); };
  BOOST_TEST(refused("openapi: 3.0.0\npaths: {}").find("x:1: expected an OpenAPI description in JSON (turn YAML") ==
             0U);
  BOOST_TEST(refused("[]").find("expected an object") != std::string::npos);
  BOOST_TEST(refused(R"({"swagger": "2.0"})").find("/swagger: expected OpenAPI 3.0 or 3.1") != std::string::npos);
  BOOST_TEST(refused(R"({"openapi": "4.0"})").find("/openapi: expected a description") != std::string::npos);
  BOOST_TEST(refused(description("{}")).find("/paths: expected an operation") != std::string::npos);
  BOOST_TEST(refused(R"({"openapi": "3.1.0", "paths": {"/a": {"$ref": "#/paths/~1a"}}})").find("/paths") !=
             std::string::npos);
}
