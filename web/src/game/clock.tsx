// A player's clock: the time from the site's last message, counted down locally until the next.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ClockInfo } from "../api.gen.ts";
import { play } from "../sound.ts";
import { spokenTime } from "./spoken.ts";

interface ClockProps {
  clock: ClockInfo;
  player: number;
  /** When the clock's state arrived, in milliseconds of `performance.now`. */
  since: number;
  /** Whether it is this person's own clock. */
  own: boolean;
  /** The player's name. */
  name: string;
}

const LOW_MS = 10_000;
const TICK_MS = 100;

export function Clock({ clock, player, since, own, name }: ClockProps) {
  const [now, setNow] = useState(performance.now());
  const warned = useRef(false);
  const running = clock.running === player;
  useEffect(() => {
    setNow(performance.now());
    if (!running) return;
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [running, since]);
  const left = timeLeft(clock, player, now - since);
  const low = left < LOW_MS;
  useEffect(() => {
    if (low && running && own && !warned.current) play("low");
    warned.current = low;
  }, [low, running]);
  return (
    <span class={`clock ${running ? "running" : ""} ${low ? "low" : ""}`} role="timer" aria-label={`${own ? "Your time" : `Time of ${name}`}: ${spokenTime(left)}`}>
      {timeText(left)}
    </span>
  );
}

/** Return a player's remaining milliseconds, `after` milliseconds after the clock's state arrived. */
export function timeLeft(clock: ClockInfo, player: number, after: number): number {
  const told = clock.left[player === 1 ? 1 : 0] ?? 0;
  return Math.max(0, told - (clock.running === player ? Math.max(0, after) : 0));
}

/** Format a time as `3:07`, or as `9.4` in the last ten seconds. */
function timeText(left: number): string {
  if (left < LOW_MS) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.ceil(left / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
