// An MCP server in shell that ends in the middle of its first call, and answers the call of its next process.
#pragma once

namespace toolwire_test {

/// Its one tool is "x"; where it has died once there is a file "died" in its directory. Revision 2025-06-18, listed or
/// not.
inline constexpr const char* once_failing_server = R"sh(read -r line
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}}'
read -r line
read -r line
case $line in *tools/list*)
  echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"x","inputSchema":{"type":"object"}}]}}'
  read -r line ;;
esac
id=${line#*\"id\":}; id=${id%%[,\}]*}
[ -e died ] || { touch died; exit 1; }
echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"content":[{"type":"text","text":"at last"}]}}'
cat
)sh";

}  // namespace toolwire_test
