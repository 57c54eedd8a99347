// The seat of somebody who is logged in, on a device that does not have its token, or has one that is good no more.
import { useEffect, useRef } from "preact/hooks";
import type { GameState, Me } from "./api.gen.ts";
import { forgetSeat, keepSeat, SiteError, tokenOf } from "./api.ts";
import { usePerson } from "./identity.ts";
import { seatAgain } from "./people.ts";

/** Whether an account sits at a table at which this page only watches; nobody else there is called like it. */
export function sitsThere(person: Me, state: GameState | null): boolean {
  if (!person.account || state === null || state.you !== null || state.status === "over") return false;
  return state.players.some(({ kind, name }) => kind === "person" && name === person.name);
}

/** Take the seat again where that is possible; whose token opens nothing any more watches. */
export function useOwnSeat(id: string, state: GameState | null, refusal: string, sitDown: () => void): void {
  const person = usePerson();
  const dialled = useRef(tokenOf(id));
  const isRefused = refusal !== "" && tokenOf(id) !== null;
  const wanted = person !== null && (isRefused || sitsThere(person, state));
  useEffect(() => {
    if (!wanted) return;
    let gone = false;
    const taken = tokenOf(id) !== dialled.current; // in another tab
    void (taken ? Promise.resolve(true) : sitAgain(id, person.account, isRefused)).then((changed) => {
      if (!changed || gone) return;
      dialled.current = tokenOf(id);
      sitDown();
    });
    return () => {
      gone = true;
    };
  }, [id, wanted, person?.name]);
}

/** Whether there is reason to dial again: with a new token, or without the one that was refused. */
async function sitAgain(id: string, account: boolean, isRefused: boolean): Promise<boolean> {
  let isTheirs = !account; // what a guest cannot open is somebody else's
  try {
    if (account) keepSeat(await seatAgain(id));
  } catch (error) {
    isTheirs = error instanceof SiteError && (error.status === 401 || error.status === 403);
    if (!isTheirs) return false;
  }
  if (isTheirs && isRefused) forgetSeat(id);
  return !isTheirs || isRefused;
}
