// Text of an address, as it was meant.

/** Undo the percent signs of a part of an address; as it is written, if they mean nothing. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
