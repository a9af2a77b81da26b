// Mistakes that people make in the one file of a bridge: `serve` ends with 2 and `check` with 1, and both say in which
// line and at which place what was expected.
#define BOOST_TEST_MODULE bridge_configuration_mistakes_test
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <toolwire/schema.hpp>

#include "serve_bench.hpp"

using namespace toolwire_test;
using toolwire::Json;
using toolwire::JsonArray;
using toolwire::JsonObject;

namespace {

struct Mistake {
  const char* what;
  const char* text;  // the configuration
  const char* said;  // behind the path of the file
};

/// `text` is that of "mcpServers" where it begins with a quote.
const std::vector<Mistake> mistakes{
    {"no end", "{\"mcpServers\": {", ":1: expected JSON"},
    {"a comma too few", "{\"mcpServers\": {\n\"a\": {\"command\": \"x\"}\n\"b\": {}}}", ":3: expected JSON"},
    {"a name twice", "{\"mcpServers\": {\"a\": {\"command\": \"x\"},\n\"a\": {\"command\": \"y\"}}}",
     ":2: expected JSON"},
    {"single quotes", "{\"mcpServers\": {\n'a': {}}}", ":2: expected JSON"},
    {"a list in place of the whole", "[\"mcpServers\", \"toolwire\"]", R"(/0: tool "": expected a JSON Schema)"},
    {"a misspelt key of servers", "{\n\"mcpServer\": {}}", R"(:2: /mcpServer: unknown; did you mean "mcpServers"?)"},
    {"another case", "{\n\"mcpservers\": {}}", R"(:2: /mcpservers: unknown; did you mean "mcpServers"?)"},
    {"a misspelt own member", "{\"mcpServers\": {},\n\"toolwires\": {}}",
     R"(:2: /toolwires: unknown; did you mean "toolwire"?)"},
    {"servers in two places", "{\"mcpServers\": {},\n\"servers\": {}}",
     ":2: /servers: servers stand in \"mcpServers\" too"},
    {"a list of servers", "{\"mcpServers\":\n[{\"name\": \"a\", \"command\": \"x\"}]}",
     ":1: /mcpServers: expected an object of servers by name, found an array"},
    {"a server that is a text", "\"a\": \"npx x\"",
     ":2: /mcpServers/a: expected an object with \"command\" or \"url\""},
    {"a server without anything", "\"a\": {}",
     ":2: /mcpServers/a: expected \"command\", a program to start, or \"url\""},
    {"a misspelt command", "\"a\": {\"comand\": \"x\"}",
     R"(:2: /mcpServers/a/comand: unknown; expected a member that hosts know, did you mean "command"?)"},
    {"a misspelt member", "\"a\": {\"command\": \"x\",\n\"arg\": []}",
     R"(:3: /mcpServers/a/arg: unknown; expected a member that hosts know, did you mean "args"?)"},
    {"a command that is a number", "\"a\": {\"command\": 5}",
     ":2: /mcpServers/a/command: expected a string, found a number"},
    {"an empty command", "\"a\": {\"command\": \"\"}", ":2: /mcpServers/a/command: expected a program"},
    {"arguments in one text", "\"a\": {\"command\": \"x\", \"args\": \"-y z\"}",
     ":2: /mcpServers/a/args: expected an array of strings, found a string"},
    {"an argument that is a number", "\"a\": {\"command\": \"x\", \"args\": [\"--port\",\n8080]}",
     ":3: /mcpServers/a/args/1: expected a string, found a number"},
    {"arguments twice", "\"a\": {\"command\": [\"x\", \"y\"], \"args\": []}",
     R"(:2: /mcpServers/a/args: expected together with a "command" that is a string)"},
    {"arguments without a command", "\"a\": {\"url\": \"https://x\", \"args\": []}",
     R"(:2: /mcpServers/a/args: expected together with a "command")"},
    {"a variable that is a number", "\"a\": {\"command\": \"x\", \"env\": {\"PORT\": 8080}}",
     ":2: /mcpServers/a/env/PORT: expected a string, found a number"},
    {"variables as a list", "\"a\": {\"command\": \"x\", \"env\": [\"A=b\"]}",
     ":2: /mcpServers/a/env: expected an object of strings, found an array"},
    {"variables twice", "\"a\": {\"command\": \"x\", \"env\": {}, \"environment\": {}}",
     R"(:2: /mcpServers/a/environment: says the same as "env")"},
    {"both a program and an address", "\"a\": {\"command\": \"x\", \"url\": \"https://x\"}",
     R"(:2: /mcpServers/a: expected "command" or "url", found both)"},
    {"a kind that does not exist", "\"a\": {\"type\": \"studio\", \"command\": \"x\"}",
     R"(:2: /mcpServers/a/type: expected "stdio" or "http", found "studio")"},
    {"a kind that does not fit", "\"a\": {\"type\": \"http\", \"command\": \"x\"}",
     R"(:2: /mcpServers/a/type: expected "stdio" beside a program)"},
    {"an address without its scheme", "\"a\": {\"type\": \"http\", \"url\": \"mcp.example.com\"}",
     ":2: /mcpServers/a/url: expected an address that begins with http:// or https://"},
    {"headers of a program", "\"a\": {\"command\": \"x\", \"headers\": {\"A\": \"b\"}}",
     R"(:2: /mcpServers/a/headers: are for a "url")"},
    {"the older transport over HTTP", "\"a\": {\"type\": \"sse\", \"url\": \"https://x/sse\"}",
     R"(:2: /mcpServers/a/type: expected "http": the older transport HTTP+SSE is not spoken)"},
    {"an address with a password", "\"a\": {\"url\": \"https://me:secret@x/mcp\"}",
     ":2: /mcpServers/a: expected an http or https address without user name and password"},
    {"a header of the protocol", "\"a\": {\"url\": \"https://x\", \"headers\": {\"Mcp-Session-Id\": \"secret\"}}",
     ":2: /mcpServers/a/headers/Mcp-Session-Id: is a header field of the protocol or the connection"},
    {"a header that is none", "\"a\": {\"url\": \"https://x\", \"headers\": {\"A B\": \"secret\"}}",
     ":2: /mcpServers/a/headers/A B: expected the name of a header field"},
    {"a switch that is a text", "\"a\": {\"command\": \"x\", \"disabled\": \"true\"}",
     ":2: /mcpServers/a/disabled: expected true or false, found a string"},
    {"a variable that is not set", "\"a\": {\"command\": \"x\", \"env\": {\"K\":\n\"${TOOLWIRE_NOT_SET}\"}}",
     ":2: /mcpServers/a/env/K: expected TOOLWIRE_NOT_SET to be set in the environment, or "
     "${TOOLWIRE_NOT_SET:-otherwise}"},
    {"a variable of an editor that is not set", "\"a\": {\"command\": \"x\", \"args\": [\"${env:TOOLWIRE_NOT_SET}\"]}",
     ":2: /mcpServers/a/args/0: expected TOOLWIRE_NOT_SET to be set"},
    {"a place without an end", "\"a\": {\"command\": \"${HOME\"}", ":2: /mcpServers/a/command: expected a closing }"},
    {"a place that is unknown", "\"a\": {\"command\": \"${config:x.y}\"}",
     ":2: /mcpServers/a/command: ${config:x.y} is unknown; expected ${NAME}"},
    {"what a host would ask for", "\"a\": {\"command\": \"x\", \"env\": {\"K\": \"${input:key}\"}}",
     ":2: /mcpServers/a/env/K: ${input:key} is asked for by a host with windows, which this is not; expected ${key} "
     "here, "
     "and key set in the environment"},
    {"a file that is not there", "\"a\": {\"command\": \"x\", \"env\": {\"K\": \"${file:no/where}\"}}",
     ":2: /mcpServers/a/env/K: expected a readable file"},
    {"a command that is not allowed", "\"a\": {\"command\": \"x\", \"env\": {\"K\": \"${cmd:true}\"}}",
     ":2: /mcpServers/a/env/K: ${cmd:…} runs a program; expected --allow-commands"},
    {"a file of variables that is not there", "\"a\": {\"command\": \"x\", \"envFile\": \".env\"}",
     ":2: /mcpServers/a/envFile: expected a readable file"},
    {"a file of variables that is a device", "\"a\": {\"command\": \"x\", \"envFile\": \"/dev/null\"}",
     ":2: /mcpServers/a/envFile: expected a readable file of at most 65536 bytes: /dev/null"},
    {"a place within a place", "\"a\": {\"command\": \"x\", \"args\": [\"${A:-${HOME}}\"]}",
     R"(:2: /mcpServers/a/args/0: ${A:-${HOME} has a { behind ":-", whose } would end it)"},
    {"an argument with a NUL", "\"a\": {\"command\": \"x\", \"args\": [\"a\\u0000b\"]}",
     ":2: /mcpServers/a/args/0: expected a text without NUL characters"},
    {"a variable with a NUL", "\"a\": {\"command\": \"x\", \"env\": {\"A\": \"b\\u0000c\"}}",
     ":2: /mcpServers/a/env/A: expected a text without NUL characters"},
    {"a pattern of tools that are left out", "\"a\": {\"command\": \"x\", \"excludeTools\": [\"b\",\n\"write_*\"]}",
     R"(:3: /mcpServers/a/excludeTools/1: expected the name of a tool; a name with * is a key of "tools" in "toolwire")"},
    {"all tools left out", "\"a\": {\"command\": \"x\", \"disabledTools\": [\"*\"]}",
     ":2: /mcpServers/a/disabledTools/0: expected the name of a tool"},
    {"all tools and one more", "\"a\": {\"command\": \"x\", \"tools\": [\"*\", \"b\"]}",
     ":2: /mcpServers/a/tools/0: expected the name of a tool"},
    {"runtimes that are a folder",
     "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}, \"toolwire\": {\n\"runtimes\": \"tools\"}}",
     ":2: /toolwire/runtimes: expected an object of runtimes by name (\"bindings\" may name a file that has some), "
     "found a "
     "string"},
    {"a file of calls with a NUL",
     "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}, \"toolwire\": {\n\"audit\": \"a\\u0000b\"}}",
     ":2: /toolwire/audit: expected a string without NUL characters"},
    {"a variable for all servers as a shell has it",
     "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}, \"toolwire\": {\"inherit\": [\"A\",\n\"$TOKEN\"]}}",
     R"(:2: /toolwire/inherit/1: expected the name of a variable, or PREFIX_* or *_SUFFIX for many, found "$TOKEN")"},
    {"a variable with two stars",
     "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}, \"toolwire\": {\"servers\": {\"a\": "
     "{\"inherit\":\n[\"*_TOKEN*\"]}}}}",
     ":2: /toolwire/servers/a/inherit/0: expected the name of a variable"},
    {"settings that are a list", "{\"mcpServers\": {},\n\"toolwire\": []}",
     ":2: /toolwire: expected an object, found an array"},
    {"nothing to serve", "{\"mcpServers\": {}}", ": expected something to serve"},
    {"a misspelt setting", "{\"mcpServers\": {}, \"toolwire\": {\n\"manifest\": []}}",
     R"(:2: /toolwire/manifest: unknown; did you mean "manifests"?)"},
    {"a manifest that is not there", "{\"toolwire\": {\"manifests\": [\n\"nowhere.json\"]}}",
     ":2: /toolwire/manifests/0: expected a file or folder"},
    {"a prefix that does not exist", "{\"mcpServers\": {}, \"toolwire\": {\n\"prefix\": \"allways\"}}",
     R"(:2: /toolwire/prefix: expected one of on_conflict, always, never; did you mean "always"?)"},
    {"a search that is a text", "{\"mcpServers\": {}, \"toolwire\": {\n\"search\": \"yes\"}}",
     ":2: /toolwire/search: expected true, false or an object, found a string"},
    {"a misspelt setting of the search", "{\"mcpServers\": {}, \"toolwire\": {\n\"search\": {\"allways\": []}}}",
     R"(:2: /toolwire/search/allways: unknown; did you mean "always"?)"},
    {"a tool that is always listed and a number",
     "{\"mcpServers\": {}, \"toolwire\": {\"search\": {\"always\": [\"a\",\n5]}}}",
     ":2: /toolwire/search/always/1: expected the name of a tool, or SERVER/TOOL"},
    {"a tool that is always listed, of a server that is not there",
     "{\"mcpServers\": {\"files\": {\"command\": \"x\"}}, \"toolwire\": {\"search\": {\"always\": "
     "[\n\"flies/read\"]}}}",
     R"(:2: /toolwire/search/always/0: there is no server "flies" that is used; did you mean "files"?)"},
    {"a port that is none", "{\"mcpServers\": {}, \"toolwire\": {\n\"listen\": \"127.0.0.1\"}}",
     ":2: /toolwire/listen: \"127.0.0.1\": expected HOST:PORT, like 127.0.0.1:15000"},
    {"a page that no browser would name so",
     "{\"mcpServers\": {}, \"toolwire\": {\"listen\": {\"address\": \"127.0.0.1:0\", "
     "\"origins\":\n[\"https://x.example/\"]}}}",
     ":2: /toolwire/listen/origins/0: expected what browsers call a page's origin"},
    {"an issuer without encryption",
     "{\"mcpServers\": {}, \"toolwire\": {\"authorization\": {\"resource\": \"https://x/mcp\",\n\"issuer\": "
     "\"http://x\"}}}",
     ":2: /toolwire/authorization/issuer: expected https://"},
    {"a misspelt setting of who is let in",
     "{\"mcpServers\": {}, \"toolwire\": {\"authorization\": {\"issuer\": \"https://x\", \"resource\": "
     "\"https://x/mcp\",\n"
     "\"audience\": [\"x\"]}}}",
     R"(:2: /toolwire/authorization/audience: unknown; did you mean "audiences"?)"},
    {"an algorithm with a shared secret",
     "{\"mcpServers\": {}, \"toolwire\": {\"authorization\": {\"issuer\": \"https://x\", \"resource\": "
     "\"https://x/mcp\",\n"
     "\"algorithms\": [\"HS256\"]}}}",
     ":2: /toolwire/authorization/algorithms: expected some of RS256"},
    {"a Redis without an address", "{\"mcpServers\": {}, \"toolwire\": {\n\"redis\": {\"user\": \"x\"}}}",
     R"(:2: /toolwire/redis: expected "address", as 127.0.0.1:6379)"},
    {"a Redis without a port", "{\"mcpServers\": {}, \"toolwire\": {\"redis\": {\n\"address\": \"localhost\"}}}",
     ":2: /toolwire/redis/address: expected HOST:PORT, or unix: and an absolute path"},
    {"a password in the open",
     "{\"mcpServers\": {}, \"toolwire\": {\"redis\": {\"address\": \"localhost:1\",\n\"password\": \"x\"}}}",
     ":2: /toolwire/redis/password: unknown; expected one of address, user, password_file"},
    {"a lease of no time",
     "{\"mcpServers\": {}, \"toolwire\": {\"redis\": {\"address\": \"localhost:1\",\n\"lease_seconds\": 0}}}",
     ":2: /toolwire/redis/lease_seconds: expected a whole number from 1 to 86400"},
    {"a Redis on another machine in the clear",
     "{\"mcpServers\": {}, \"toolwire\": {\"redis\": {\n\"address\": \"redis.internal:6379\"}}}",
     R"(:2: /toolwire/redis/address: expected "tls" beside it, or "tunnel": true if something else encrypts the way, as )"
     R"("redis.internal:6379" may be another machine)"},
    {"a Redis at the end of no tunnel",
     "{\"mcpServers\": {}, \"toolwire\": {\"redis\": {\"address\": \"[::1]:1\",\n\"tunnel\": true}}}",
     R"(:2: /toolwire/redis/tunnel: nothing follows from it for "[::1]:1", which is this machine)"},
    {"a tunnel that is none",
     "{\"mcpServers\": {}, \"toolwire\": {\"redis\": {\"address\": \"a:1\",\n\"tunnel\": false}}}",
     ":2: /toolwire/redis/tunnel: expected true, or no such member"},
    {"a tunnel with TLS",
     "{\"mcpServers\": {}, \"toolwire\": {\"redis\": {\"address\": \"a:1\", \"tls\": {},\n\"tunnel\": true}}}",
     R"(:2: /toolwire/redis/tunnel: expected either this or "tls")"},
    {"TLS to a Unix socket",
     "{\"mcpServers\": {}, \"toolwire\": {\"redis\": {\"address\": \"unix:/r\",\n\"tls\": {}}}}",
     ":2: /toolwire/redis/tls: nothing follows from it for a Unix socket"},
    {"TLS that is only wished for",
     "{\"mcpServers\": {}, \"toolwire\": {\"redis\": {\"address\": \"a:1\",\n\"tls\": true}}}",
     ":2: /toolwire/redis/tls: expected an object, found"},
    {"TLS that checks nothing",
     "{\"mcpServers\": {}, \"toolwire\": {\"redis\": {\"address\": \"a:1\", \"tls\": {\n\"verify\": false}}}}",
     ":2: /toolwire/redis/tls/verify: unknown; expected one of ca_file, certificate_file, key_file, server_name"},
    {"a certificate without its key",
     "{\"mcpServers\": {}, \"toolwire\": {\"redis\": {\"address\": \"a:1\", \"tls\": {\n\"certificate_file\": "
     "\"x\"}}}}",
     R"(:2: /toolwire/redis/tls/certificate_file: expected both "certificate_file" and its "key_file")"},
    {"a key without its certificate",
     "{\"mcpServers\": {}, \"toolwire\": {\"redis\": {\"address\": \"a:1\", \"tls\": {\n\"key_file\": \"x\"}}}}",
     R"(:2: /toolwire/redis/tls/key_file: expected both "certificate_file" and its "key_file")"},
    {"a NATS without an address", "{\"mcpServers\": {}, \"toolwire\": {\n\"nats\": {\"prefix\": \"x\"}}}",
     R"(:2: /toolwire/nats: expected "address", as 127.0.0.1:4222)"},
    {"a NATS by URL", "{\"mcpServers\": {}, \"toolwire\": {\"nats\": {\n\"address\": \"nats://a:1\"}}}",
     R"(:2: /toolwire/nats/address: expected HOST:PORT, found "nats://a:1")"},
    {"a NATS on another machine in the clear",
     "{\"mcpServers\": {}, \"toolwire\": {\"nats\": {\n\"address\": \"nats.internal:4222\"}}}",
     R"(:2: /toolwire/nats/address: expected "tls" beside it, or "tunnel": true)"},
    {"a NATS at the end of no tunnel",
     "{\"mcpServers\": {}, \"toolwire\": {\"nats\": {\"address\": \"localhost:4222\",\n\"tunnel\": true}}}",
     R"(:2: /toolwire/nats/tunnel: nothing follows from it for "localhost:4222", which is this machine)"},
    {"a NATS with a key of nothing",
     "{\"mcpServers\": {}, \"toolwire\": {\"nats\": {\"address\": \"a:1\", \"tls\": {\n\"key_file\": \"x\"}}}}",
     R"(:2: /toolwire/nats/tls/key_file: expected both "certificate_file" and its "key_file")"},
    {"a seed in the open",
     "{\"mcpServers\": {}, \"toolwire\": {\"nats\": {\"address\": \"localhost:1\",\n\"nkey\": \"SUx\"}}}",
     ":2: /toolwire/nats/nkey: unknown"},
    {"subjects of everybody",
     "{\"mcpServers\": {}, \"toolwire\": {\"nats\": {\"address\": \"localhost:1\",\n\"prefix\": \"a.>\"}}}",
     ":2: /toolwire/nats/prefix: expected letters, digits, '-' and '_' with dots between"},
    {"a worker that is twice there",
     "{\"mcpServers\": {}, \"toolwire\": {\"nats\": {\"address\": \"localhost:1\", \"workers\": [\"x\",\n\"x\"]}}}",
     ":2: /toolwire/nats/workers/1: expected another name"},
    {"a worker with a name of several parts",
     "{\"mcpServers\": {}, \"toolwire\": {\"nats\": {\"address\": \"localhost:1\",\n\"worker\": \"a.b\"}}}",
     ":2: /toolwire/nats/worker: expected at most 64 letters"},
    {"a worker that is a replica",
     "{\"mcpServers\": {}, \"toolwire\": {\"nats\": {\"address\": \"localhost:1\", \"workers\": [\"x\"],\n\"worker\": "
     "\"y\"}}}",
     ":2: /toolwire/nats/worker: expected either this, of a worker, or \"workers\""},
    {"tasks of no worker", "{\"mcpServers\": {}, \"toolwire\": {\"nats\": {\"address\": \"a:1\",\n\"jetstream\": {}}}}",
     ":2: /toolwire/nats/jetstream: nothing follows from it without \"workers\", or \"worker\" of a worker"},
    {"tasks in a word",
     "{\"mcpServers\": {}, \"toolwire\": {\"nats\": {\"address\": \"a:1\", \"workers\": [\"x\"],\n\"jetstream\": "
     "true}}}",
     ":2: /toolwire/nats/jetstream: expected an object, found a boolean"},
    {"a stream of several names",
     "{\"mcpServers\": {}, \"toolwire\": {\"nats\": {\"address\": \"a:1\", \"workers\": [\"x\"], \"jetstream\": "
     "{\n\"stream\": \"a.b\"}}}}",
     ":2: /toolwire/nats/jetstream/stream: expected at most 64 letters"},
    {"what a worker decides, of a replica",
     "{\"mcpServers\": {}, \"toolwire\": {\"nats\": {\"address\": \"a:1\", \"workers\": [\"x\"], \"jetstream\": "
     "{\n\"max_tasks\": 2}}}}",
     ":2: /toolwire/nats/jetstream/max_tasks: unknown; expected one of stream, replicas"},
    {"what replicas decide, of a worker",
     "{\"mcpServers\": {}, \"toolwire\": {\"nats\": {\"address\": \"a:1\", \"worker\": \"x\", \"jetstream\": "
     "{\n\"lease_seconds\": 2}}}}",
     ":2: /toolwire/nats/jetstream/lease_seconds: unknown; expected one of stream, max_tasks"},
    {"a worker with the name of a server",
     "{\"mcpServers\": {\"x\": {\"command\": \"true\"}}, \"toolwire\": {\"nats\": {\"address\": "
     "\"localhost:1\",\n\"workers\": "
     "[\"x\"]}}}",
     ":2: /toolwire/nats/workers/0: there is a server of this name"},
    {"a setting that says nothing of a worker",
     "{\"mcpServers\": {}, \"toolwire\": {\"nats\": {\"address\": \"localhost:1\", \"workers\": [\"x\"]}, \"servers\": "
     "{\"x\": "
     "{\n\"inherit\": [\"A\"]}}}}",
     ":2: /toolwire/servers/x/inherit: nothing follows from it for a worker"},
    {"a misspelt setting of what listens",
     "{\"mcpServers\": {}, \"toolwire\": {\"listen\": {\"address\": \"127.0.0.1:0\",\n\"token_fil\": \"x\"}}}",
     R"(:2: /toolwire/listen/token_fil: unknown; did you mean "token_file"?)"},
    {"a token that is not there",
     "{\"mcpServers\": {}, \"toolwire\": {\"listen\": {\"address\": \"127.0.0.1:0\",\n\"token_file\": \"none\"}}}",
     ":2: /toolwire/listen/token_file: expected a file with a token"},
    {"calls of nobody", "{\"mcpServers\": {}, \"toolwire\": {\n\"calls_per_minute\": 0}}",
     ":2: /toolwire/calls_per_minute: expected a whole number from 1 to 1000000"},
    {"pages of nothing", "{\"mcpServers\": {}, \"toolwire\": {\n\"page_size\": 0}}",
     ":2: /toolwire/page_size: expected a whole number from 1 to 100000"},
    {"pages of what is searched", "{\"mcpServers\": {}, \"toolwire\": {\"search\": true,\n\"page_size\": 5}}",
     ":2: /toolwire/page_size: expected either this or \"search\""},
    {"a scenario that is no address", "{\"toolwire\": {\"scenarios\": [\"localhost:1\"]}}",
     ":1: /toolwire/scenarios/0: expected an http or https URL"},
    {"a time that is too long", "{\"mcpServers\": {}, \"toolwire\": {\"wait_seconds\": 601}}",
     ":1: /toolwire/wait_seconds: expected a number from 0 to 600"},
    {"settings of a server that is not there",
     "{\"mcpServers\": {\"files\": {\"command\": \"x\"}}, \"toolwire\": {\"servers\": {\n\"file\": {}}}}",
     R"(:2: /toolwire/servers/file: there is no server of this name that is used; did you mean "files"?)"},
    {"a misspelt setting of a server",
     "{\"mcpServers\": {\"files\": {\"command\": \"x\"}}, \"toolwire\": {\"servers\": {\"files\": {\n\"on_chang\": "
     "\"accept\"}}}}",
     R"(:2: /toolwire/servers/files/on_chang: unknown; did you mean "on_change"?)"},
    {"a tool of a server that is not there",
     "{\"mcpServers\": {\"files\": {\"command\": \"x\"}}, \"toolwire\": {\"tools\": {\n\"flies/read\": {}}}}",
     R"(:2: /toolwire/tools/flies~1read: there is no server "flies" that is used; did you mean "files"?)"},
    {"a misspelt setting of a tool",
     "{\"mcpServers\": {}, \"toolwire\": {\"tools\": {\"x\": {\n\"aproval\": \"require\"}}}}",
     ":2: /toolwire/tools/x/aproval: unknown; expected one of enabled, approval"},
    {"an approval that does not exist",
     "{\"mcpServers\": {}, \"toolwire\": {\"tools\": {\"x\": {\n\"approval\": \"always\"}}}}",
     R"(:2: /toolwire/tools/x/approval: expected "require" or "skip")"},
    {"a new name for many tools", "{\"mcpServers\": {}, \"toolwire\": {\"tools\": {\"x*\": {\n\"name\": \"y\"}}}}",
     ":2: /toolwire/tools/x*/name: expected a key without a star here"},
    {"a misspelt setting of a confinement",
     "{\"mcpServers\": {}, \"toolwire\": {\"tools\": {\"x\": {\"confinement\": {\n\"netwrk\": \"none\"}}}}}",
     ":2: /toolwire/tools/x/confinement/netwrk: "},
    {"a confinement that refuses nothing",
     "{\"mcpServers\": {}, \"toolwire\": {\"tools\": {\"x\": {\n\"confinement\": {\"network\": \"all\"}}}}}",
     ":2: /toolwire/tools/x/confinement: refuses and bounds nothing; expected \"files\""},
    {"a confinement of a tool of a server",
     "{\"mcpServers\": {\"a\": {\"command\": \"cat\"}}, \"toolwire\": {\"tools\": {\"a/x\": {\n\"confinement\": "
     "{\"network\": \"none\"}}}}}",
     ":2: /toolwire/tools/a~1x/confinement: a tool of a server runs in the program of the server, which is not "
     "confined; expected a tool with a binding of the kind \"process\""},
    {"a confinement of all, servers too",
     "{\"mcpServers\": {\"a\": {\"command\": \"cat\"}}, \"toolwire\": {\"tools\": {\"*\": {\n\"confinement\": "
     "{\"network\": \"none\"}}}}}",
     ":2: /toolwire/tools/*/confinement: fits the tools of the server \"a\" too, and servers are not confined"},
    {"a confinement of nothing",
     "{\"mcpServers\": {\"a\": {\"command\": \"cat\"}}, \"toolwire\": {\"tools\": {\"run_*\": {\n\"confinement\": "
     "{\"network\": \"none\"}}}}}",
     ":2: /toolwire/tools/run_*/confinement: counts for no tool that a program is started for"},
    {"a confinement of a tool that may be one of a server",
     "{\"mcpServers\": {\"a\": {\"command\": \"cat\"}}, \"toolwire\": {\"tools\": {\"run\": {\n\"confinement\": "
     "{\"network\": \"none\"}}}}}",
     ":2: /toolwire/tools/run/confinement: there is no tool of a file of this name"},
    {"a retry that is a number", "{\"mcpServers\": {}, \"toolwire\": {\"tools\": {\"x\": {\n\"retry\": 3}}}}",
     ":2: /toolwire/tools/x/retry: expected true or false, found a number"},
    {"a new name that hosts do not like",
     "{\"mcpServers\": {}, \"toolwire\": {\"tools\": {\"a/x\": {\n\"name\": \"a b\"}}}}",
     ":2: /toolwire/tools/a~1x/name: expected 1 to 128 of the characters"},
    {"a deadline that is a text",
     "{\"mcpServers\": {}, \"toolwire\": {\"tools\": {\"x\": {\n\"deadline_seconds\": \"5\"}}}}",
     ":2: /toolwire/tools/x/deadline_seconds: expected a whole number from 1 to 86400, found a string"},
    {"a binding of no kind", "{\"toolwire\": {\"bindings\": {\n\"x\": {\"shell\": {}}}}}", ":2: /toolwire/bindings/x"},
    {"a binding to a server that is not there",
     "{\"mcpServers\": {\"files\": {\"command\": \"x\"}}, \"toolwire\": {\"bindings\": {\n\"x\": {\"mcp\": "
     "{\"server\": \"file\"}}}}}",
     R"(:2: /toolwire/bindings/x/mcp/server: expected the name of a server of this file; did you mean "files"?)"},
    {"a prefix of what is not offered",
     "{\"mcpServers\": {\"files\": {\"command\": \"x\"}}, \"toolwire\": {\"servers\": {\"files\": {\"offer\": "
     "false,\n\"prefix\": \"never\"}}}}",
     ":2: /toolwire/servers/files/prefix: nothing follows from it"},
    {"two tools of one name",
     "{\"mcpServers\": {\"a\": {\"command\": \"x\"}, \"b\": {\"command\": \"x\"}}, \"toolwire\": {\"tools\": "
     "{\"a/x\": {\"name\": \"y\"}, \"b/x\": {\n\"name\": \"y\"}}}}",
     R"(:2: /toolwire/tools/b~1x/name: "a/x" has this name, too)"},
    {"a prefix of nothing",
     "{\"mcpServers\": {}, \"toolwire\": {\"scenarios\": [\"http://localhost:1\"],\n\"prefix\": \"always\"}}",
     ":2: /toolwire/prefix: nothing follows from it, as no server is offered"},
    {"variables for nothing", "{\"toolwire\": {\"scenarios\": [\"http://localhost:1\"],\n\"inherit\": [\"TOKEN\"]}}",
     ":2: /toolwire/inherit: nothing follows from it, as there is no server"},
    {"a revision that is a year",
     "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}, \"toolwire\": {\"servers\": {\"a\": {\n\"revision\": "
     "\"2025\"}}}}",
     ":2: /toolwire/servers/a/revision: expected a revision of the protocol, one of 2024-11-05, 2025-03-26, "},
    {"a revision of a day on which there was none",
     "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}, \"toolwire\": {\"servers\": {\"a\": {\n\"revision\": "
     "\"2025-13-45\"}}}}",
     ":2: /toolwire/servers/a/revision: expected a revision of the protocol, one of 2024-11-05, 2025-03-26, "},
    {"an audit log in no folder",
     "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}, \"toolwire\": {\n\"audit\": \"logs/calls.jsonl\"}}",
     ":2: /toolwire/audit: expected a file in a folder that there is: "},
    {"metrics that are a folder",
     "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}, \"toolwire\": {\n\"metrics\": \".\"}}",
     ":2: /toolwire/metrics: expected a file in a folder that there is: "},
    {"an address that is none",
     "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}, \"toolwire\": {\"allow_addresses\": "
     "[\"10.0.0.0/8\",\n\"intranet\"]}}",
     R"(:2: /toolwire/allow_addresses/1: "intranet" is neither an address nor a network)"},
    {"profiles that are a list", "{\"mcpServers\": {}, \"toolwire\": {\"profiles\": []}}",
     ":1: /toolwire/profiles: expected an object, found an array"},
};

std::string configuration(const std::string& text) {
  return text.front() == '"' ? "{\"mcpServers\": {\n" + text + "\n}}" : text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_mistake_ends_the_start_and_the_check_with_its_place) {
  BOOST_TEST(mistakes.size() >= 45U);
  for (const Mistake& mistake : mistakes) {
    const ScratchFolder folder;
    const std::string file = folder.file("mcp.json", configuration(mistake.text)).string();
    const ProgramRun served = run({"serve", file, "--list"});
    const ProgramRun checked = run({"check", file, "--no-hints"});
    BOOST_TEST_CONTEXT(mistake.what << "\n" << served.errors << checked.out << checked.errors) {
      BOOST_TEST(served.status == 2);
      BOOST_TEST(served.out.empty());
      BOOST_TEST(served.errors.find(file + mistake.said) != std::string::npos);
      BOOST_TEST(checked.status == 1);
      BOOST_TEST(checked.out.find(file + mistake.said) != std::string::npos);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_file_that_others_can_write_is_refused) {
  namespace fs = std::filesystem;
  const ScratchFolder folder;
  const fs::path file = folder.file("mcp.json", R"j({"mcpServers": {"a": {"command": "/bin/cat"}}})j");
  fs::permissions(file, fs::perms::others_write, fs::perm_options::add);
  for (const char* const command : {"serve", "check"}) {
    const ProgramRun ended = run({command, file.string()});
    BOOST_TEST(ended.status == (command == std::string("serve") ? 2 : 1));
    BOOST_TEST((ended.out + ended.errors).find(file.string() + ": can be written by everybody") != std::string::npos);
    BOOST_TEST((ended.out + ended.errors).find("chmod go-w") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_file_in_whose_place_others_can_put_another_is_refused) {
  namespace fs = std::filesystem;
  const ScratchFolder folder;
  const std::string file = folder.file("mcp.json", "{\"mcpServers\": {\"a\": {\"command\": \"/bin/true\"}}}").string();
  fs::permissions(folder / "", fs::perms::others_write | fs::perms::others_exec, fs::perm_options::add);
  for (const char* const command : {"serve", "check"}) {
    const ProgramRun ended = run({command, file});
    BOOST_TEST(ended.status == (std::string(command) == "serve" ? 2 : 1));
    BOOST_TEST((ended.out + ended.errors).find(file + ": stands in a folder in which everybody can put another file") !=
                   std::string::npos,
               ended.out + ended.errors);
  }
  const ScratchFolder own;
  const fs::path link = own / "link.json";
  fs::create_symlink(file, link);
  BOOST_TEST(run({"check", link.string()}).status == 1);
  fs::permissions(folder / "", fs::perms::sticky_bit, fs::perm_options::add);
  BOOST_TEST(run({"check", file}).status == 0);
  BOOST_TEST(run({"check", link.string()}).status == 0);
}

BOOST_AUTO_TEST_CASE(a_profile_that_does_not_exist_and_two_configurations_are_mistakes) {
  const ScratchFolder folder;
  const std::string file =
      folder
          .file("mcp.json",
                R"j({"mcpServers": {"a": {"command": "/bin/cat"}}, "toolwire": {"profiles": {"prod": {}}}})j")
          .string();
  const ProgramRun profile = run({"serve", file, "--profile", "prd", "--list"});
  BOOST_TEST(profile.status == 2);
  BOOST_TEST(profile.errors.find("expected a profile called \"prd\"; there are \"prod\"") != std::string::npos);
  const ProgramRun two = run({"serve", file, folder.file("b.json", R"j({"mcpServers": {}})j").string(), "--list"});
  BOOST_TEST(two.status == 2);
  BOOST_TEST(two.errors.find("a second configuration") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(mistakes_of_a_profile_are_told_where_they_stand) {
  const ScratchFolder folder;
  const std::string file = folder
                               .file("mcp.json", R"j({"mcpServers": {"a": {"command": "/bin/cat"}},
    "toolwire": {"tools": {"x": {"approval": "require"}},
      "profiles": {"dev": {
        "tools": {"x": {"approval": "never"}}}}}})j")
                               .string();
  BOOST_TEST(run({"check", file}).status == 1);  // all profiles
  const ProgramRun checked = run({"check", file, "--profile", "dev"});
  BOOST_TEST(checked.status == 1);
  BOOST_TEST(checked.out.find(file + ":4: /toolwire/profiles/dev/tools/x/approval: expected") != std::string::npos,
             checked.out);
}

BOOST_AUTO_TEST_CASE(what_only_a_check_can_know_without_starting_anything) {
  const ScratchFolder folder;
  folder.file("tools.json", to_json_text(parse_json(seed_text())));
  const std::string file = folder
                               .file("mcp.json", R"j({
    "mcpServers": {"a": {"command": "toolwire-no-such-program"}, "b": {"command": "./not-here"}}})j")
                               .string();
  const ProgramRun programs = run({"check", file});
  BOOST_TEST(programs.status == 1);
  BOOST_TEST(programs.out.find(file + ":2: /mcpServers/a/command: expected a program that can be started") !=
             std::string::npos);
  BOOST_TEST(programs.out.find(file + ":2: /mcpServers/b/command: expected a program that can be started") !=
             std::string::npos);
  const std::string words = folder
                                .file("words.json", R"j({"mcpServers": {
    "a": {"command": "cat -u"},
    "b": {"command": "cat", "cwd": "nowhere"}}})j")
                                .string();
  const std::string said = run({"check", words}).out;
  BOOST_TEST(
      said.find(words + ":2: /mcpServers/a/command: expected a program that can be started, and its arguments in "
                        "\"args\"") != std::string::npos,
      said);
  BOOST_TEST(said.find(words + ":3: /mcpServers/b/cwd: expected a directory: ") != std::string::npos, said);
  const std::string tools = folder
                                .file("own.json", R"j({"toolwire": {"manifests": ["tools.json"],
    "bindings": {"spawn_coding_agent": {"process": {"argv": ["echo", "{taks}"]}}},
    "tools": {"spawn_codin_agent": {"approval": "skip"},
      "spawn_coding_agent": {"output": {"lines": 5}}}}})j")
                                .string();
  const ProgramRun checked = run({"check", tools});
  BOOST_TEST(checked.status == 1);
  BOOST_TEST(checked.out.find(tools + ":2: /toolwire/bindings/spawn_coding_agent/process") != std::string::npos,
             checked.out);
  BOOST_TEST(checked.out.find("taks") != std::string::npos);
  BOOST_TEST(
      checked.out.find(tools + ":3: /toolwire/tools/spawn_codin_agent: there is no tool of this name; did you mean "
                               "\"spawn_coding_agent\"?") != std::string::npos,
      checked.out);
  BOOST_TEST(checked.out.find("/output") == std::string::npos, checked.out);  // tools of files have it, too
}

BOOST_AUTO_TEST_CASE(a_confinement_that_cannot_be_had_is_a_mistake) {
  struct Case {
    const char* binding;
    const char* said;
  };
  const Case cases[] = {
      {R"j({"http": {"url": "http://localhost:1/x"}})j",
       "no program is started for \"run\"; expected a tool with a binding of the kind \"process\""},
      {R"j({"constant": {"text": "x"}})j", "no program is started for \"run\""},
      {R"j({"latent": {}})j", "no program is started for \"run\""},
      {R"j({"mcp": {"server": "a"}})j", "\"run\" runs in the server \"a\", and servers are not confined"},
      {R"j({"runtime": {"runtime": "py"}})j", "\"run\" runs in a process of the runtime \"py\" with the others"},
      {R"j({"process": {"argv": ["true"]}})j", "expected \"workspace\", or a \"directory\" of the program that is it"},
      {R"j({"process": {"argv": ["true"], "confinement": {"files": "read-only"}}})j",
       "in conflict with that of its binding: \"files\""},
  };
  for (const Case& one : cases) {
    const ScratchFolder folder;
    folder.folder("py");
    folder.file("tools.json", R"j([{"type": "object", "properties": {"_tool": {"const": "run"}}},
        {"type": "object", "properties": {"_tool": {"const": "other"}}}])j");
    const std::string file =
        folder
            .file("mcp.json", std::string(R"j({"mcpServers": {"a": {"command": "cat"}}, "toolwire": {
    "servers": {"a": {"offer": false}}, "manifests": ["tools.json"], "runtimes": {"py": {"tools": "py", "language": "python"}},
    "bindings": {"other": {"mcp": {"server": "a"}}, "run": )j") +
                                  one.binding + R"j(},
    "tools": {"run": {
      "confinement": {"files": "workspace"}}}}})j")
            .string();
    const ProgramRun served = run({"serve", file, "--list"});
    const ProgramRun checked = run({"check", file, "--no-hints"});
    const std::string said = file + ":5: /toolwire/tools/run/confinement: " + one.said;
    BOOST_TEST_CONTEXT(one.binding << "\n" << served.errors << checked.out << checked.errors) {
      BOOST_TEST(served.status == 2);
      BOOST_TEST(served.errors.find(said) != std::string::npos);
      BOOST_TEST(checked.status == 1);
      BOOST_TEST(checked.out.find(said) != std::string::npos);
    }
  }
}

BOOST_AUTO_TEST_CASE(tools_with_one_binding_have_one_confinement) {
  const ScratchFolder folder;
  folder.file("tools.json", R"j([
    {"type": "object", "properties": {"_tool": {"const": "one"}, "_activity": {"const": "run"}, "_output": {}}},
    {"type": "object", "properties": {"_tool": {"const": "two"}, "_activity": {"const": "run"}, "_output": {}}}])j");
  const auto checked = [&](const std::string& tools) {
    return run({"check", folder
                             .file("mcp.json", R"j({"toolwire": {"manifests": ["tools.json"],
    "bindings": {"run": {"process": {"argv": ["true"]}}}, "tools": )j" +
                                                   tools + "}}")
                             .string()});
  };
  const ProgramRun wrong = checked(R"j({"one": {"confinement": {"network": "none"}}})j");
  BOOST_TEST(wrong.status == 1);
  BOOST_TEST(wrong.out.find(":2: /toolwire/tools/one/confinement: \"one\" and \"two\" have the same binding") !=
                 std::string::npos,
             wrong.out);
  const ProgramRun fine = checked(R"j({"*": {"confinement": {"network": "none"}}})j");
  BOOST_TEST(fine.status == 0, fine.out);
}

BOOST_AUTO_TEST_CASE(tools_that_are_always_listed_and_do_not_exist_are_mistakes) {
  const ScratchFolder folder;
  folder.file("tools.json", to_json_text(parse_json(seed_text())));
  const auto configuration = [&](const std::string& always) {
    return folder
        .file("mcp.json",
              "{\"toolwire\": {\"manifests\": [\"tools.json\"], \"search\": {\"always\": [\n" + always + "]}}}")
        .string();
  };
  for (const std::vector<std::string>& command : {std::vector<std::string>{"check"}, {"serve", "--list"}}) {
    const auto ended = [&](const std::string& always) {
      std::vector<std::string> words = command;
      words.insert(words.begin() + 1, configuration(always));
      return run(words);
    };
    const ProgramRun wrong = ended("\"spawn_*\",\n\"spawn_codin_agent\",\n\"agent_*\"");
    BOOST_TEST(wrong.status == (command.front() == "serve" ? 2 : 1));
    const std::string said = wrong.out + wrong.errors;
    BOOST_TEST(said.find("mcp.json:3: /toolwire/search/always/1: there is no such tool; did you mean "
                         "\"spawn_coding_agent\"?") != std::string::npos,
               said);
    BOOST_TEST(said.find("mcp.json:4: /toolwire/search/always/2: there is no such tool") != std::string::npos, said);
    BOOST_TEST(said.find("always/0") == std::string::npos, said);
    const ProgramRun fine = ended("\"spawn_coding_agent\"");
    BOOST_TEST(fine.status == 0, fine.out + fine.errors);
  }
}

/// All that one file can say; and where anything may stand: what the host keeps beside, and schemas.
constexpr const char* full_configuration = R"j({
  "mcpServers": {
    "files": {"command": "true", "args": ["x"], "env": {"A": "b"}, "cwd": ".", "includeTools": ["echo"]},
    "whole": {"command": {"path": "true", "args": ["x"], "env": {"A": "b"}}},
    "remote": {"type": "http", "url": "http://127.0.0.1:9/mcp", "headers": {"X-A": "b"},
               "oauth": {"client_id": "a", "client_secret": "long-secret", "issuer": "https://login.example.com"}}
  },
  "toolwire": {
    "description": "all there is", "approval": "bridge", "wait_seconds": 1, "calls_per_minute": 60, "inherit": ["A_*"],
    "servers": {"files": {"on_change": "accept", "pinned": {"tools": [{"name": "echo", "inputSchema": {}}]},
                          "offer": true, "scopes": ["a"], "prefix": "always", "inherit": ["B"], "shared": true,
                          "revision": "2025-11-25", "start_timeout_seconds": 5, "wait_seconds": 5,
                          "question_timeout_seconds": 5, "description": "files"}},
    "tools": {
      "files/echo": {"permissions": [{"arguments": {"type": "object"}, "decision": "ask", "reason": "to be sure"}],
                     "output": {"lines": 5, "bytes": 500, "keep": "tail"}, "enabled": true, "approval": "require",
                     "cache_seconds": 60, "retry": true, "name": "say", "description": "says it",
                     "deadline_seconds": 5, "rate_per_minute": 5, "scopes": ["a"]},
      "count_words": {"confinement": {"network": "none", "limits": {"open_files": 64}}}
    },
    "search": {"always": ["files/echo"]},
    "traces": {"endpoint": "http://127.0.0.1:4318", "headers": {"A": "b"}},
    "listen": {"address": "127.0.0.1:0"},
    "authorization": {"issuer": "https://x.example", "resource": "https://y.example/mcp", "scopes": ["a"],
                      "implied_scopes": {"b": ["a"]}},
    "manifests": ["tool.json"],
    "bindings": {"count_words": {"process": {"argv": ["wc", "-w"], "environment": {"A": "b"},
                                             "confinement": {"limits": {"open_files": 64}}}}},
    "runtimes": {"mine": {"tools": "tools", "recycle": {"failures": 3}, "permissions": {"read": ["."]},
                          "environment": {"A": "b"}, "confinement": {"files": "read-only"}}},
    "profiles": {"careful": {"tools": {"*": {"approval": "require"}}}}
  }
})j";

/// Calls `visit` with each object of the document, while a member is in it that nobody knows.
void with_strange_members(Json& value, const std::string& pointer,
                          const std::function<void(const std::string&)>& visit) {
  if (JsonArray* const list = value.if_array()) {
    for (std::size_t i = 0; i < list->size(); ++i)
      with_strange_members((*list)[i], pointer + "/" + std::to_string(i), visit);
  }
  JsonObject* const object = value.if_object();
  if (object == nullptr) return;
  for (auto& [name, member] : *object) {
    std::string step(name);
    if (const std::size_t slash = step.find('/'); slash != std::string::npos) step.replace(slash, 1, "~1");
    with_strange_members(member, pointer + "/" + step, visit);
  }
  (*object)["zz_strange"] = 1;
  visit(pointer);
  object->erase("zz_strange");
}

BOOST_AUTO_TEST_CASE(a_member_that_nobody_knows_is_a_mistake_wherever_it_stands) {
  const ScratchFolder folder;
  folder.file("tool.json", R"j({"type": "object", "properties": {"_tool": {"const": "count_words"}}})j");
  folder.file("tools/tool.py", "");
  const auto checked = [&](const Json& configuration) {
    return run({"check", folder.file("mcp.json", toolwire::to_json_text(configuration)).string()});
  };
  Json full = toolwire::parse_json(full_configuration);
  const ProgramRun fine = checked(full);
  BOOST_REQUIRE_MESSAGE(fine.status == 0, fine.out + fine.errors);
  const std::set<std::string> open{"", "/toolwire/servers/files/pinned", "/toolwire/servers/files/pinned/tools/0",
                                   "/toolwire/servers/files/pinned/tools/0/inputSchema"};
  std::size_t refused = 0;
  with_strange_members(full, "", [&](const std::string& pointer) {
    const ProgramRun ended = checked(full);
    BOOST_TEST((ended.status == 0) == open.contains(pointer), pointer + ": " + ended.out + ended.errors);
    if (ended.status != 0) BOOST_TEST(ended.out.find(pointer) != std::string::npos, pointer + ": " + ended.out);
    if (ended.status != 0) ++refused;
  });
  BOOST_TEST(refused > 30U);
}

/// Calls `visit` with each member of the document, and each element of its lists, while it is null.
void with_nulls(Json& value, const std::string& pointer, const std::function<void(const std::string&)>& visit) {
  const auto be_null = [&](Json& member, const std::string& place) {
    with_nulls(member, place, visit);
    const Json was = std::exchange(member, nullptr);
    visit(place);
    member = was;
  };
  if (JsonArray* const list = value.if_array()) {
    for (std::size_t i = 0; i < list->size(); ++i) be_null((*list)[i], pointer + "/" + std::to_string(i));
  }
  if (JsonObject* const object = value.if_object()) {
    for (auto& [name, member] : *object) be_null(member, pointer + "/" + std::string(name));
  }
}

BOOST_AUTO_TEST_CASE(null_is_refused_wherever_the_schema_refuses_it) {
  const ScratchFolder folder;
  folder.file("tool.json", R"j({"type": "object", "properties": {"_tool": {"const": "count_words"}}})j");
  folder.file("tools/tool.py", "");
  const toolwire::Schema schema = toolwire::Schema::compile(toolwire::parse_json(run({"schema"}).out));
  Json full = toolwire::parse_json(full_configuration);
  BOOST_REQUIRE(schema.is_valid(full));
  std::size_t refused = 0;
  with_nulls(full, "", [&](const std::string& pointer) {
    if (schema.is_valid(full)) return;
    const ProgramRun ended = run({"check", folder.file("mcp.json", toolwire::to_json_text(full)).string()});
    BOOST_TEST(ended.status != 0, pointer + ": " + ended.out + ended.errors);
    ++refused;
  });
  BOOST_TEST(refused > 60U);
}

BOOST_AUTO_TEST_CASE(of_null_and_descriptions_the_program_says_what_its_schema_says) {
  const ScratchFolder folder;
  const toolwire::Schema schema = toolwire::Schema::compile(toolwire::parse_json(run({"schema"}).out));
  const auto judge = [&](const std::string& own, bool is_fine, const std::string& said) {
    const std::string text = "{\"mcpServers\": {\"a\": {\"command\": \"true\"}}, \"toolwire\": {" + own + "}}";
    const ProgramRun ended = run({"check", folder.file("mcp.json", text).string()});
    BOOST_TEST((ended.status == 0) == is_fine, text + ended.out);
    BOOST_TEST(ended.out.find(said) != std::string::npos, text + ended.out);
    BOOST_TEST(schema.is_valid(toolwire::parse_json(text)) == is_fine, text);
  };
  for (const char* const fine :
       {R"("servers": null, "tools": null, "description": null)",
        R"("description": "mine", "servers": {"a": {"description": ""}})",
        R"("profiles": {"p": {"servers": {"a": null}, "tools": {"a/x": null}, "description": null}})",
        R"("tools": {"a/x": {"enabled": true}}, "profiles": {"p": {"tools": {"a/x": null, "a/y": null}}})"})
    judge(fine, true, "");
  judge(R"("servers": {"a": null})", false, "/toolwire/servers/a: expected an object, found null");
  judge(R"("tools": {"a/x": null})", false, "/toolwire/tools/a~1x: expected an object, found null");
  judge(R"("description": [7])", false, "/toolwire/description: expected a string, found an array");
  judge(R"("profiles": {"p": {"description": true}})", false, "/description: expected a string, found a boolean");
  for (const char* const wrong : {"7", "null"})
    judge(R"("servers": {"a": {"description": )" + std::string(wrong) + "}}", false,
          "/toolwire/servers/a/description: expected a string, found ");
}

BOOST_AUTO_TEST_CASE(a_profile_that_a_configuration_does_not_have_is_no_other_mistake) {
  const ScratchFolder folder;
  const std::string file = folder.file("mcp.json", R"j({"mcpServers": {"a": {"command": "true"}}})j").string();
  const ProgramRun ended = run({"serve", file, "--profile", "x", "--list"});
  BOOST_TEST(ended.status == 2);
  BOOST_TEST(ended.errors.find("expected a profile called \"x\"; there are none") != std::string::npos, ended.errors);
  BOOST_TEST(ended.errors.find("--profile: expected a configuration") == std::string::npos, ended.errors);
}

BOOST_AUTO_TEST_CASE(a_check_finds_the_programs_that_a_start_finds) {
  const ScratchFolder folder;
  const auto checked = [&](const std::string& command, const std::string& environment) {
    return run(
        {"check",
         folder
             .file("mcp.json", R"j({"mcpServers": {"a": {"command": ")j" + command + R"j(", "env": {)j" + environment +
                                   R"j(}}}, "toolwire": {"servers": {"a": {"inherit_environment": false}}}})j")
             .string()});
  };
  const ProgramRun usual = checked("sh", "");  // without PATH
  BOOST_TEST(usual.status == 0, usual.out);
  BOOST_TEST(checked("toolwire-no-such-program", "").status == 1);
  BOOST_TEST(checked("sh", R"("PATH": "/nowhere")").status == 1);
  BOOST_TEST(checked("hello", R"("PATH": ")" TOOLWIRE_BIN_DIR "\"").status == 0);
}

BOOST_AUTO_TEST_CASE(a_check_starts_servers_when_it_is_told_to) {
  const ScratchFolder folder;
  const std::string good =
      folder.file("good.json", R"j({"mcpServers": {"hello": {"command": ")j" TOOLWIRE_BIN_DIR R"j(/hello"}}})j")
          .string();
  const ProgramRun started = run({"check", "--start", good});
  BOOST_TEST(started.status == 0);
  BOOST_TEST(started.out.find("1 server with 1 tool") != std::string::npos, started.out);
  const std::string bad = folder.file("bad.json", R"j({"mcpServers": {"false": {"command": "/bin/false"}}})j").string();
  BOOST_TEST(run({"check", bad}).status == 0);
  const ProgramRun failed = run({"check", "--start", bad});
  BOOST_TEST(failed.status == 1);
  BOOST_TEST(failed.out.find("the server \"false\": ") != std::string::npos, failed.out);
}

BOOST_AUTO_TEST_CASE(a_check_with_servers_knows_their_tools) {
  const ScratchFolder folder;
  const auto checked = [&](const std::string& tools) {
    return run({"check", "--start",
                folder
                    .file("mcp.json", R"j({"mcpServers": {"github.com/some/hello": {"command": ")j" TOOLWIRE_BIN_DIR
                                      R"j(/hello"}, "two": {"command": ")j" TOOLWIRE_BIN_DIR R"j(/hello"}},
      "toolwire": {"tools": )j" + tools + "}}")
                    .string()});
  };
  const ProgramRun fine = checked(R"j({"github.com/some/hello/add": {"approval": "require"}, "add": {"retry": true},
    "two/*": {"approval": "skip"}, "two_add": {"deadline_seconds": 5}})j");
  BOOST_TEST(fine.status == 0, fine.out);
  BOOST_TEST(fine.out.find("the server \"two\" has add\n") != std::string::npos, fine.out);
  const ProgramRun wrong = checked(R"j({"github.com/some/hello/ad": {"approval": "require"},
    "x*": {"enabled": false},
    "tow_add": {"enabled": false}})j");
  BOOST_TEST(wrong.status == 1);
  for (const char* const said : {":2: /toolwire/tools/github.com~1some~1hello~1ad: there is no such tool; did you mean "
                                 "\"github.com/some/hello/add\"?",
                                 ":3: /toolwire/tools/x*: there is no tool that it fits",
                                 ":4: /toolwire/tools/tow_add: there is no such tool; did you mean \"two_add\"?"})
    BOOST_TEST(wrong.out.find(said) != std::string::npos, wrong.out);
}

BOOST_AUTO_TEST_CASE(a_check_with_servers_knows_which_tools_are_always_listed) {
  const ScratchFolder folder;
  folder.file("tools.json", to_json_text(parse_json(seed_text())));
  const auto checked = [&](const std::string& always) {
    return run({"check", "--start",
                folder
                    .file("mcp.json", R"j({"mcpServers": {"a": {"command": ")j" TOOLWIRE_BIN_DIR
                                      R"j(/hello"}}, "toolwire": {"manifests": ["tools.json"],
      "bindings": {"spawn_coding_agent": {"constant": {"result": {"run_id": "r"}}}},
      "tools": {"a/add": {"name": "plus"}}, "search": {"always": [)j" +
                                          always + "]}}}")
                    .string()});
  };
  const ProgramRun fine = checked(R"("plus", "a/add", "a/*", "spawn_*")");
  BOOST_TEST(fine.status == 0, fine.out);
  const ProgramRun wrong = checked("\"plus\",\n\"nope\",\n\"plas\",\n\"a/ad\"");
  BOOST_TEST(wrong.status == 1);
  for (const char* const said : {":4: /toolwire/search/always/1: there is no such tool",
                                 ":5: /toolwire/search/always/2: there is no such tool; did you mean \"plus\"?",
                                 ":6: /toolwire/search/always/3: there is no such tool; did you mean \"a/add\"?"})
    BOOST_TEST(wrong.out.find(said) != std::string::npos, wrong.out);
  BOOST_TEST(wrong.out.find("always/0") == std::string::npos, wrong.out);
}

BOOST_AUTO_TEST_CASE(a_check_with_servers_knows_which_tools_they_cannot_leave_out) {
  const ScratchFolder folder;
  const auto checked = [&](const std::string& filters) {
    return run({"check", "--start",
                folder
                    .file("mcp.json",
                          R"j({"mcpServers": {"a": {"command": ")j" TOOLWIRE_BIN_DIR R"j(/hello", )j" + filters + "}}}")
                    .string()});
  };
  BOOST_TEST(checked(R"("includeTools": ["add"], "excludeTools": [])").status == 0);
  const ProgramRun wrong = checked(R"("includeTools": ["add", "sub"], "excludeTools": ["ad"])");
  BOOST_TEST(wrong.status == 1);
  for (const char* const said :
       {"mcp.json: the server \"a\": there is no tool \"sub\", which is to be offered",
        "mcp.json: the server \"a\": there is no tool \"ad\", which is to be left out; did you "
        "mean \"add\"?"})
    BOOST_TEST(wrong.out.find(said) != std::string::npos, wrong.out);
}

BOOST_AUTO_TEST_CASE(what_is_no_file_of_tools_is_named_as_what_it_is) {
  const ScratchFolder folder;
  folder.file("b.json", R"j({"bindings": {"x": {"constant": {"result": 1}}}})j");
  folder.file("other.json", "{\"mcpServers\": {}} // comment");
  const std::string file =
      folder.file("mcp.json", R"j({"toolwire": {"manifests": ["b.json", "other.json"]}})j").string();
  for (const std::vector<std::string>& command : {std::vector<std::string>{"check", file}, {"serve", file, "--list"}}) {
    const ProgramRun ended = run(command);
    const std::string said = ended.out + ended.errors;
    BOOST_TEST(ended.status == (command.front() == "serve" ? 2 : 1));
    BOOST_TEST(said.find("b.json: is a bindings file; expected a tool manifest or tool schemas") != std::string::npos,
               said);
    BOOST_TEST(said.find("other.json: is a configuration with MCP servers; expected") != std::string::npos, said);
  }
  BOOST_TEST(run({"serve", "/dev/zero", "--list"}).errors.find("longer than 16 MiB") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_check_says_what_a_file_is) {
  const ScratchFolder folder;
  const std::string preferences = folder.file("p.json", R"j({"tools": {"x": {}}})j").string();
  BOOST_TEST(run({"check", preferences}).out.find(preferences + ": is a preferences file; expected") !=
             std::string::npos);
  const std::string schema = folder.file("s.json", R"j({"type": "object", "properties": {"a": {}}})j").string();
  BOOST_TEST(run({"check", schema}).out.find(schema + ": is a JSON Schema; expected") != std::string::npos);
  const std::string bindings = folder.file("b.json", R"j({"bindings": {"x": {"constant": {"result": 1}}}})j").string();
  BOOST_TEST(run({"check", bindings}).out.find("a bindings file without problems of its own") != std::string::npos);
  const std::string wrong = folder.file("w.json", "{\n\"bindings\": {\"x\": {}}}").string();
  const ProgramRun checked = run({"check", wrong});
  BOOST_TEST(checked.status == 1);
  BOOST_TEST(checked.out.find(wrong + ":2: /bindings/x") != std::string::npos, checked.out);
}
