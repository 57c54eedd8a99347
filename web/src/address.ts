// What an address says: its text, as it was meant, and the position that it leads to; and how it follows what is shown.
import { useEffect, useLayoutEffect } from "preact/hooks";
import { usePace } from "./paced.ts";

/** Undo the percent signs of a part of an address; as it is written, if they mean nothing. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `?ply=23` opens a game at a position. */
export function plyFromAddress(): number | null {
  const text = new URLSearchParams(location.search).get("ply");
  return text !== null && /^\d{1,4}$/.test(text) ? Number(text) : null;
}

/** Write the address of what is shown, with what the browser keeps beside it; null: it stays as it is. */
export function useAddress(address: string | null, state: unknown = null): void {
  const pace = usePace(); // browsers refuse to write a hundred addresses in a row
  // with the board, so that nobody can be elsewhere before it is written
  useLayoutEffect(() => {
    if (address !== null) pace.run(() => history.replaceState(state, "", address));
  }, [address, state]);
  useEffect(() => {
    // before a link leads to another entry of the history
    addEventListener("click", pace.flush, true);
    return () => removeEventListener("click", pace.flush, true);
  }, [pace]);
}
