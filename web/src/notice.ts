// What a person should read once: news, which go by themselves, or an error, which stays until it is dismissed.

export type OnNotice = (said: string | Error) => void;

/** Whatever was thrown, as an error with a sentence. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
