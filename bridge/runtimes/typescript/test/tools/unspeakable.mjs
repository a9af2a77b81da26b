const parameters = { type: "object" };
export const UnspeakableTool = { id: "unspeakable", description: "", parameters, annotations: { n: 1n }, execute: () => "" };
