// Judges progress by the order in which messages arrive: only for a call that asked for it, and none after its result.
// The SDKs cannot tell. They handle a result at once but a notification a moment later, so that progress that arrives
// together with its result looks late to them (modelcontextprotocol/typescript-sdk, issue 2580).

const sdkComplaint = 'Received a progress notification for an unknown token';

// Whether an error the client reported is the one above, which this file judges instead.
export function isLateProgressComplaint(error) {
  return error.message.startsWith(sdkComplaint);
}

// Watches a connected transport. Returns the array that violations are added to, one sentence each.
export function watchProgress(transport) {
  const violations = [];
  const openTokens = new Map();  // by the id of the request
  const { send, onmessage } = transport;

  transport.send = (message, ...rest) => {
    const token = message.params?._meta?.progressToken;
    if (token !== undefined) openTokens.set(message.id, token);
    return send.call(transport, message, ...rest);
  };
  transport.onmessage = (message, ...rest) => {
    if (message.method === 'notifications/progress') {
      const token = message.params.progressToken;
      const isOpen = [...openTokens.values()].includes(token);
      if (!isOpen) violations.push(`progress for the token ${token}, which no open call has`);
    } else if (message.method === undefined) {
      openTokens.delete(message.id);
    }
    onmessage.call(transport, message, ...rest);
  };
  return violations;
}
