// Requests of the operator's page; the token stays in the memory of this tab.
import type { OperatorAct, OperatorView } from "../api.gen.ts";
import { call } from "../api.ts";

export interface Operator {
  token: string;
  /** The operator's name in the log. */
  who: string;
}

export type Act = Omit<OperatorAct, "who">;

export const view = ({ token }: Operator): Promise<OperatorView> => call("get", "/api/operator", { token });
export const act = ({ token, who }: Operator, what: Act): Promise<OperatorView> => call("post", "/api/operator/acts", { token, body: { ...what, who } });

export const PERIODS: { name: string; hours: number | null }[] = [
  { name: "an hour", hours: 1 },
  { name: "a day", hours: 24 },
  { name: "a week", hours: 168 },
  { name: "30 days", hours: 720 },
  { name: "good", hours: null },
];

/** A subject such as `account Xy3` or `address 192.0.2.1` as the site accepts it in an act. */
export function subjectIn(key: string): string {
  return key.startsWith("address ") ? key.slice("address ".length) : key;
}

/** A duration in words: `3 d 4 h`, `5 min`. */
export function lasting(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

export const when = (time: string | number): string => new Date(time).toLocaleString(undefined, { dateStyle: "short", timeStyle: "short" });
