// The people whom this person has blocked, fetched once; and reports to the operator.
import { useEffect, useState } from "preact/hooks";
import type { BlockedPerson, SendReport } from "./api.gen.ts";
import { call } from "./api.ts";
import { onPerson } from "./identity.ts";

let latest: BlockedPerson[] = [];
let asked = false;
const listeners = new Set<(people: BlockedPerson[]) => void>();

function becomes(people: BlockedPerson[]): BlockedPerson[] {
  latest = people;
  for (const listener of listeners) listener(people);
  return people;
}

/** Return the blocked people; empty until the site has answered. */
export function useBlocked(): BlockedPerson[] {
  const [people, setPeople] = useState(latest);
  useEffect(() => {
    listeners.add(setPeople);
    setPeople(latest);
    if (!asked) {
      asked = true;
      onPerson(() => void call("get", "/api/me/blocks").then((answer) => becomes(answer.people), () => {})); // now and after a login
    }
    return () => void listeners.delete(setPeople);
  }, []);
  return people;
}

export const block = async (key: string, name: string) => becomes((await call("post", "/api/me/blocks", { body: { key, name } })).people);
export const unblock = async (key: string) => becomes((await call("delete", "/api/me/blocks/{key}", { params: { path: { key } } })).people);
export const report = (body: SendReport) => call("post", "/api/reports", { body });
