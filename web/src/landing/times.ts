// How long the players of a game may think: what can be chosen, and what somebody fills in; pure, so that it can be tested.
import type { TimeControl } from "../api.ts";

const CUSTOM = "custom";
const USUAL = ["none", "1+0", "3+2", "5+0", "5+3", "10+2", "15+10", "30+0"]; // minutes and seconds a move
const LEAST_S = 10;
const MOST_MINUTES = 180;
const MOST_INCREMENT_S = 180;
const FAULT = `A clock begins with ${LEAST_S} seconds to ${MOST_MINUTES} minutes, and a move adds 0 to ${MOST_INCREMENT_S} whole seconds.`;

/** A choice, and what stands in the fields. */
export interface Time {
  value: string;
  minutes: string;
  seconds: string;
}

export const TIMES = [...USUAL, CUSTOM].map((value) => ({ value, name: value === "none" ? "None" : value === CUSTOM ? "Custom" : value.replace("+", " + ") }));

const NONE: Time = { value: "none", minutes: "5", seconds: "3" };

export function isCustom({ value }: Time): boolean {
  return value === CUSTOM;
}

/** After a choice: the fields begin with what was chosen before. */
export function chosen(old: Time, value: string): Time {
  const [minutes, seconds] = value.split("+");
  return minutes && seconds ? { value, minutes, seconds } : { ...old, value };
}

/** What `textOf` made of a choice. */
export function timeFrom(text: string | null): Time {
  if (text !== null && USUAL.includes(text)) return chosen(NONE, text);
  const [, minutes, seconds] = /^([\d.]*)\+([\d.]*)$/.exec(text ?? "") ?? [];
  return minutes === undefined || seconds === undefined ? NONE : { value: CUSTOM, minutes, seconds };
}

/** A choice as it is remembered. */
export function textOf(time: Time): string {
  return isCustom(time) ? `${time.minutes}+${time.seconds}` : time.value;
}

/** The clocks of a choice, or why the site takes none such. */
export function clocksOf({ value, minutes, seconds }: Time): { control: TimeControl; fault: string } {
  if (value === "none") return { control: null, fault: "" };
  const [initialSeconds, incrementSeconds] = [Math.round(60 * numberOf(minutes)), numberOf(seconds)];
  const fits =
    initialSeconds >= LEAST_S &&
    initialSeconds <= 60 * MOST_MINUTES &&
    Number.isInteger(incrementSeconds) &&
    incrementSeconds >= 0 &&
    incrementSeconds <= MOST_INCREMENT_S;
  return fits ? { control: { initialSeconds, incrementSeconds }, fault: "" } : { control: null, fault: FAULT };
}

/** An empty field is no 0. */
function numberOf(text: string): number {
  return text.trim() ? Number(text) : NaN;
}
