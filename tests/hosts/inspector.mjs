// The command-line mode of the MCP Inspector against a server: one run to list, one for every call. In the modes auto
// and modern it asks server/discover on the session's own process, which the SDK clients do not.

import { checkResult, checkTools, expect, parseExpectations, runSessions } from './expectations.mjs';
import { InspectorCommand } from './inspector_command.mjs';

const options = parseExpectations(process.argv.slice(2), ['legacy', 'auto', 'modern']);

const serverOf = ({ command, args, url }) => (url ? { type: 'streamable-http', url } : { command, args });

async function session() {
  const inspector = new InspectorCommand(serverOf(options), options.mode);
  try {
    // --strict: schemas that some model provider would refuse make it exit with 6.
    const list = inspector.run('--method', 'tools/list', '--strict');
    expect(list.status === 0, `listing the tools: the Inspector exited with ${list.status}`);
    checkTools(list.result.tools, options.calls);
    for (const call of options.calls) checkResult(call, inspector.call(call.tool, call.args));
  } finally {
    inspector.forget();
  }
}

await runSessions(options, session);
