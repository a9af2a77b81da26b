// An expectation that did not hold. Anything else that is thrown is a failure of the client or of the connection.
export class Unexpected extends Error {}

export function expect(holds, message) {
  if (!holds) throw new Unexpected(message);
}
