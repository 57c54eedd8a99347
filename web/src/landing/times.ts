// The presets and custom values of a game's time control. Pure functions.
import type { TimeControl } from "../api.ts";

const CUSTOM = "custom";
const BYO_YOMI = "byo-yomi";
const CANADIAN = "canadian";
const DAYS = "days";
export const USUAL = ["none", "1+0", "3+2", "5+0", "5+3", "10+2", "15+10", "30+0"]; // minutes + seconds per move
const LEAST_S = 10;
const MOST_MINUTES = 180;
const MOST_INCREMENT_S = 180;
const FAULT = `A clock starts with ${LEAST_S} seconds to ${MOST_MINUTES} minutes and gains 0 to ${MOST_INCREMENT_S} whole seconds per move.`;
const FAULT_OF_BYO_YOMI = `Byo-yomi has 0 to ${MOST_MINUTES} minutes, then 1 to 10 periods of 5 to 3600 whole seconds.`;
const FAULT_OF_CANADIAN = `Canadian time has 0 to ${MOST_MINUTES} minutes, then 1 to 50 moves within 1 to 60 minutes.`;

/** The chosen preset or kind, and the contents of the fields. */
export interface Time {
  value: string;
  minutes: string;
  /** Seconds added by each move, or the seconds of a period of byo-yomi. */
  seconds: string;
  /** Periods of byo-yomi, or moves of a Canadian period. */
  count: string;
  /** Minutes of a Canadian period. */
  period: string;
  days: string;
}

/** A number field of a kind of time control. */
interface TimeField {
  name: Exclude<keyof Time, "value" | "days">;
  title: string;
  max: number;
  step: "1" | "any";
}

const MINUTES: TimeField = { name: "minutes", title: "Minutes", max: MOST_MINUTES, step: "any" };
const FIELDS: Record<string, TimeField[]> = {
  [CUSTOM]: [MINUTES, { name: "seconds", title: "Seconds per move", max: MOST_INCREMENT_S, step: "1" }],
  [BYO_YOMI]: [MINUTES, { name: "count", title: "Periods", max: 10, step: "1" }, { name: "seconds", title: "Seconds per period", max: 3600, step: "1" }],
  [CANADIAN]: [MINUTES, { name: "count", title: "Moves", max: 50, step: "1" }, { name: "period", title: "In so many minutes", max: 60, step: "any" }],
};
const START: Record<string, Partial<Time>> = {
  [BYO_YOMI]: { minutes: "10", count: "5", seconds: "30" },
  [CANADIAN]: { minutes: "10", count: "25", period: "5" },
};

const NAMES: Record<string, string> = { none: "None", [CUSTOM]: "Custom", [BYO_YOMI]: "Byo-yomi", [CANADIAN]: "Canadian", [DAYS]: "Days" };
export const TIMES = [...USUAL, CUSTOM, BYO_YOMI, CANADIAN, DAYS].map((value) => ({ value, name: NAMES[value] ?? value.replace("+", " + ") }));
/** The times of a game against a bot, which is not played over days. */
export const TIMES_OF_BOTS = TIMES.filter(({ value }) => value !== DAYS);
export const DAYS_PER_MOVE = ["1", "2", "3", "5", "7", "14"].map((value) => ({ value, name: value }));

const NONE: Time = { value: "none", minutes: "5", seconds: "3", count: "5", period: "5", days: "3" };

/** The fields of the chosen kind of time control. */
export const fieldsOfTime = ({ value }: Time): TimeField[] => FIELDS[value] ?? [];

export const isOverDays = ({ value }: Time): boolean => value === DAYS;

/** Apply a choice; a preset also fills the custom fields. */
export function chosen(old: Time, value: string): Time {
  if (START[value] && value !== old.value) return { ...old, ...START[value], value };
  const [minutes, seconds] = value.split("+");
  return minutes && seconds ? { ...old, value, minutes, seconds } : { ...old, value };
}

/** Parse a stored time control, as written by `textOf`. */
export function timeFrom(text: string | null): Time {
  if (text !== null && USUAL.includes(text)) return chosen(NONE, text);
  const [kind = "", minutes, seconds, count, period, days] = (text ?? "").split(" ");
  const isWhole = [minutes, seconds, count, period, days].every((field) => /^[\d.]*$/.test(field ?? "?"));
  if (!isWhole || !(kind in FIELDS || kind === DAYS)) return NONE;
  return { value: kind, minutes: minutes ?? "", seconds: seconds ?? "", count: count ?? "", period: period ?? "", days: days ?? "" };
}

/** Return a time control in its stored form. */
export function textOf({ value, minutes, seconds, count, period, days }: Time): string {
  return USUAL.includes(value) ? value : [value, minutes, seconds, count, period, days].join(" ");
}

/** Convert a choice to a time control, or explain why it is invalid. */
export function clocksOf(time: Time): { control: TimeControl; fault: string } {
  const { value } = time;
  if (value === "none") return { control: null, fault: "" };
  if (value === DAYS) return { control: { daysPerMove: Number(time.days) }, fault: "" };
  const initialSeconds = Math.round(60 * numberOf(time.minutes));
  const [seconds, count] = [numberOf(time.seconds), numberOf(time.count)];
  const isWithin = (number: number, least: number, most: number) => Number.isInteger(number) && number >= least && number <= most;
  const starts = (least: number) => isWithin(initialSeconds, least, 60 * MOST_MINUTES);
  const found = (fits: boolean, control: TimeControl, fault: string) => (fits ? { control, fault: "" } : { control: null, fault });
  if (value === BYO_YOMI) {
    const fits = starts(0) && isWithin(count, 1, 10) && isWithin(seconds, 5, 3600);
    return found(fits, { initialSeconds, overtime: { periodSeconds: seconds, periods: count, moves: 1 } }, FAULT_OF_BYO_YOMI);
  }
  if (value === CANADIAN) {
    const periodSeconds = Math.round(60 * numberOf(time.period));
    const fits = starts(0) && isWithin(count, 1, 50) && isWithin(periodSeconds, 60, 3600);
    return found(fits, { initialSeconds, overtime: { periodSeconds, periods: 1, moves: count } }, FAULT_OF_CANADIAN);
  }
  return found(starts(LEAST_S) && isWithin(seconds, 0, MOST_INCREMENT_S), { initialSeconds, incrementSeconds: seconds }, FAULT);
}

/** Parse a number; an empty field is NaN, not 0. */
function numberOf(text: string): number {
  return text.trim() ? Number(text) : NaN;
}
