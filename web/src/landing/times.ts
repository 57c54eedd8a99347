// The presets and custom values of a game's time control. Pure functions.
import type { TimeControl } from "../api.ts";

const CUSTOM = "custom";
export const USUAL = ["none", "1+0", "3+2", "5+0", "5+3", "10+2", "15+10", "30+0"]; // minutes + seconds per move
const LEAST_S = 10;
const MOST_MINUTES = 180;
const MOST_INCREMENT_S = 180;
const FAULT = `A clock starts with ${LEAST_S} seconds to ${MOST_MINUTES} minutes and gains 0 to ${MOST_INCREMENT_S} whole seconds per move.`;

/** The chosen preset, and the contents of the custom fields. */
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

/** Apply a choice; a preset also fills the custom fields. */
export function chosen(old: Time, value: string): Time {
  const [minutes, seconds] = value.split("+");
  return minutes && seconds ? { value, minutes, seconds } : { ...old, value };
}

/** Parse a stored time control, as written by `textOf`. */
export function timeFrom(text: string | null): Time {
  if (text !== null && USUAL.includes(text)) return chosen(NONE, text);
  const [, minutes, seconds] = /^([\d.]*)\+([\d.]*)$/.exec(text ?? "") ?? [];
  return minutes === undefined || seconds === undefined ? NONE : { value: CUSTOM, minutes, seconds };
}

/** Return a time control in its stored form. */
export function textOf(time: Time): string {
  return isCustom(time) ? `${time.minutes}+${time.seconds}` : time.value;
}

/** Convert a choice to a time control, or explain why it is invalid. */
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

/** Parse a number; an empty field is NaN, not 0. */
function numberOf(text: string): number {
  return text.trim() ? Number(text) : NaN;
}
