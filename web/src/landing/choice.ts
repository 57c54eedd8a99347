// What a guest chose last time, kept in the browser.

type Kept = "spec" | "bot" | "side" | "opponent" | "time";

/** Private windows may refuse to store; then nothing is remembered. */
export function remember(what: Kept, value: string): void {
  try {
    localStorage.setItem(`ludus.${what}`, value);
  } catch {
    return;
  }
}

export function remembered(what: Kept): string | null {
  try {
    return localStorage.getItem(`ludus.${what}`);
  } catch {
    return null;
  }
}
