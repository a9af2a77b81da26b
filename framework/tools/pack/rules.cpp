#include "rules.hpp"

#include <stdexcept>
#include <string>
#include <toolwire/schema.hpp>

namespace toolwire::pack {
namespace {

constexpr std::string_view bundle_text = R"~({
  "type": "object",
  "required": ["manifest_version", "name", "version", "description", "author", "server", "tools", "tools_generated",
               "compatibility"],
  "properties": {
    "manifest_version": {"const": "0.3"},
    "name": {"$ref": "#/$defs/text"},
    "display_name": {"$ref": "#/$defs/text"},
    "version": {"type": "string"},
    "description": {"$ref": "#/$defs/text"},
    "author": {
      "type": "object",
      "required": ["name"],
      "properties": {"name": {"$ref": "#/$defs/text"}},
      "additionalProperties": false
    },
    "repository": {
      "type": "object",
      "required": ["type", "url"],
      "properties": {"type": {"const": "git"}, "url": {"type": "string", "pattern": "^https://"}},
      "additionalProperties": false
    },
    "license": {"$ref": "#/$defs/text"},
    "server": {
      "type": "object",
      "required": ["type", "entry_point", "mcp_config"],
      "properties": {
        "type": {"const": "binary"},
        "entry_point": {"type": "string", "pattern": "^server/[^/]+$"},
        "mcp_config": {
          "type": "object",
          "required": ["command", "args", "env"],
          "properties": {
            "command": {"type": "string", "pattern": "^\\$\\{__dirname\\}/server/[^/]+$"},
            "args": {"type": "array", "items": {"type": "string"}},
            "env": {"type": "object", "additionalProperties": {"type": "string"}}
          },
          "additionalProperties": false
        }
      },
      "additionalProperties": false
    },
    "tools": {
      "type": "array",
      "items": {
        "type": "object",
        "required": ["name"],
        "properties": {"name": {"$ref": "#/$defs/text"}, "description": {"type": "string"}},
        "additionalProperties": false
      }
    },
    "tools_generated": {"const": false},
    "compatibility": {
      "type": "object",
      "required": ["platforms"],
      "properties": {"platforms": {"const": ["linux"]}},
      "additionalProperties": false
    },
    "user_config": {
      "type": "object",
      "additionalProperties": {
        "type": "object",
        "required": ["type", "title", "description", "required"],
        "properties": {
          "type": {"enum": ["directory", "string"]},
          "title": {"$ref": "#/$defs/text"},
          "description": {"$ref": "#/$defs/text"},
          "required": {"const": true},
          "multiple": {"const": true},
          "sensitive": {"const": true}
        },
        "additionalProperties": false
      }
    }
  },
  "additionalProperties": false,
  "$defs": {"text": {"type": "string", "minLength": 1}}
})~";

constexpr std::string_view registry_text = R"~({
  "type": "object",
  "required": ["$schema", "name", "description", "version"],
  "properties": {
    "$schema": {"const": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"},
    "name": {"type": "string", "minLength": 3, "maxLength": 200},
    "title": {"$ref": "#/$defs/line"},
    "description": {"$ref": "#/$defs/line"},
    "version": {"type": "string", "maxLength": 255},
    "repository": {
      "type": "object",
      "required": ["url", "source"],
      "properties": {"url": {"type": "string", "pattern": "^https://"}, "source": {"enum": ["github", "gitlab"]}},
      "additionalProperties": false
    },
    "packages": {
      "type": "array",
      "minItems": 1,
      "items": {"oneOf": [{"$ref": "#/$defs/bundle"}, {"$ref": "#/$defs/npm"}]}
    }
  },
  "additionalProperties": false,
  "$defs": {
    "line": {"type": "string", "minLength": 1, "maxLength": 100},
    "stdio": {"type": "object", "properties": {"type": {"const": "stdio"}}, "required": ["type"],
              "additionalProperties": false},
    "bundle": {
      "type": "object",
      "required": ["registryType", "identifier", "fileSha256", "transport"],
      "properties": {
        "registryType": {"const": "mcpb"},
        "identifier": {"type": "string", "pattern": "^https://.*mcp"},
        "fileSha256": {"type": "string", "pattern": "^[a-f0-9]{64}$"},
        "transport": {"$ref": "#/$defs/stdio"}
      },
      "additionalProperties": false
    },
    "npm": {
      "type": "object",
      "required": ["registryType", "identifier", "version", "transport"],
      "properties": {
        "registryType": {"const": "npm"},
        "identifier": {"type": "string"},
        "version": {"type": "string"},
        "runtimeHint": {"const": "npx"},
        "transport": {"$ref": "#/$defs/stdio"},
        "packageArguments": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/argument"}},
        "environmentVariables": {
          "type": "array",
          "minItems": 1,
          "items": {
            "type": "object",
            "required": ["name", "description", "isRequired", "isSecret"],
            "properties": {
              "name": {"type": "string", "minLength": 1},
              "description": {"type": "string", "minLength": 1},
              "isRequired": {"const": true},
              "isSecret": {"const": true}
            },
            "additionalProperties": false
          }
        }
      },
      "additionalProperties": false
    },
    "input": {
      "properties": {
        "description": {"type": "string"}, "isRequired": {"const": true}, "format": {"const": "filepath"}
      }
    },
    "argument": {
      "$ref": "#/$defs/input",
      "type": "object",
      "required": ["type"],
      "oneOf": [{"required": ["value"]}, {"required": ["valueHint"]}],
      "properties": {
        "type": {"const": "positional"},
        "value": {"type": "string"},
        "valueHint": {"type": "string", "minLength": 1},
        "isRepeated": {"const": true},
        "variables": {"type": "object", "additionalProperties": {"$ref": "#/$defs/input", "type": "object",
                                                                 "unevaluatedProperties": false}}
      },
      "unevaluatedProperties": false
    }
  }
})~";

Json with_pattern(std::string_view text, std::string_view member, std::string_view pattern) {
  Json rules = parse_json(text);
  rules.at("properties").at(member).as_object()["pattern"] = pattern;
  return rules;
}

}  // namespace

Json bundle_rules() { return with_pattern(bundle_text, "version", version_pattern); }

Json registry_rules() {
  Json rules = with_pattern(registry_text, "name", name_pattern);
  for (Json* const properties : {&rules.at("properties"), &rules.at("$defs").at("npm").at("properties")})
    properties->at("version").as_object()["pattern"] = version_pattern;
  return rules;
}

void require_rules(const Json& file, const Json& rules, std::string_view what) {
  const auto violations = Schema::compile(rules).validate(file);
  if (!violations.empty())
    throw std::logic_error(std::string(what) + " does not follow its rules: " + violations.front().text());
}

}  // namespace toolwire::pack
