export type Text = string;

export function twice(text: Text): Text {
  return `${text} ${text}`;
}
