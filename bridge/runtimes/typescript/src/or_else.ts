// The hooks of Node's module loader are asked in a thread of their own and may answer later, or, from Node 22.15 on, in
// that of the tools and answer at once; ours do either.

/** What `first` gives, or, where it fails, `second`. */
export function orElse<T>(first: () => T | Promise<T>, second: (error: unknown) => T | Promise<T>): T | Promise<T> {
  try {
    const made = first();
    return made instanceof Promise ? made.catch(second) : made;
  } catch (error) {
    return second(error);
  }
}
