// The type of notices: news disappear after a few seconds, an error stays until it is dismissed.

export type OnNotice = (said: string | Error) => void;

/** Convert a thrown value to an Error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
