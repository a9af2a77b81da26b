export const EchoTool = { id: "echo", description: "", parameters: {type: "object"}, execute: () => "second" };
