// Reading and writing the page's address: the path of a game, decoded path parts, the position in `?ply=`, and updates without a new history entry.
import { useEffect, useLayoutEffect } from "preact/hooks";
import { usePace } from "./paced.ts";

/** Return the path of a game's page. */
export const gamePath = (id: string) => `/game/${encodeURIComponent(id)}`;

/** Decode the percent escapes of a path part; return it unchanged if they are malformed. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Read the position to open from `?ply=23`; null without one. */
export function plyFromAddress(): number | null {
  const text = new URLSearchParams(location.search).get("ply");
  return text !== null && /^\d{1,4}$/.test(text) ? Number(text) : null;
}

/** Replace the page's address and the history entry's state; null leaves the address unchanged. */
export function useAddress(address: string | null, state: unknown = null): void {
  const pace = usePace(); // browsers limit how often replaceState may be called
  // a layout effect: the address is written before the next click can navigate away
  useLayoutEffect(() => {
    if (address !== null) pace.run(() => history.replaceState(state, "", address));
  }, [address, state]);
  useEffect(() => {
    // capture phase: write a pending address before a link adds a history entry
    addEventListener("click", pace.flush, true);
    return () => removeEventListener("click", pace.flush, true);
  }, [pace]);
}
