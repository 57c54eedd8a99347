// Recovers an account's seat on a device that has no token for it, or an invalid one.
import { useEffect, useRef } from "preact/hooks";
import type { GameState, Me } from "./api.gen.ts";
import { forgetSeat, keepSeat, SiteError, tokenOf } from "./api.ts";
import { usePerson } from "./identity.ts";
import { seatAgain } from "./people.ts";

/** Whether the account plays in a game that this page only watches; account names are unique among its players. */
export function sitsThere(person: Me, state: GameState | null): boolean {
  if (!person.account || state === null || state.you !== null || state.status === "over") return false;
  return state.players.some(({ kind, name }) => kind === "person" && name === person.name);
}

/** Fetch a new token for the account's seat; if that is impossible, drop an invalid token and watch. */
export function useOwnSeat(id: string, state: GameState | null, refusal: string, sitDown: () => void): void {
  const person = usePerson();
  const connectedWith = useRef(tokenOf(id));
  const isRefused = refusal !== "" && tokenOf(id) !== null;
  const wanted = person !== null && (isRefused || sitsThere(person, state));
  useEffect(() => {
    if (!wanted) return;
    let gone = false;
    const taken = tokenOf(id) !== connectedWith.current; // another tab has already fetched the token
    void (taken ? Promise.resolve(true) : sitAgain(id, person.account, isRefused)).then((changed) => {
      if (!changed || gone) return;
      connectedWith.current = tokenOf(id);
      sitDown();
    });
    return () => {
      gone = true;
    };
  }, [id, wanted, person?.name]);
}

/** Fetch a new token or drop an invalid one; return whether the page must reconnect. */
async function sitAgain(id: string, account: boolean, isRefused: boolean): Promise<boolean> {
  let isTheirs = !account; // a guest whose token is rejected does not own the seat
  try {
    if (account) keepSeat(await seatAgain(id));
  } catch (error) {
    isTheirs = error instanceof SiteError && (error.status === 401 || error.status === 403);
    if (!isTheirs) return false;
  }
  if (isTheirs && isRefused) forgetSeat(id);
  return !isTheirs || isRefused;
}
