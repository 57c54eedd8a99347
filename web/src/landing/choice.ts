// The last choices on the landing page, stored in the browser.

type Kept = "pool" | "spec" | "bot" | "side" | "opponent" | "time";

/** Store a choice; private windows may refuse, and then nothing is stored. */
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
