// A player's clock: the site's time, counted on between two messages.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ClockInfo } from "../api.gen.ts";
import { play } from "../sound.ts";
import { spokenTime } from "./spoken.ts";

interface ClockProps {
  clock: ClockInfo;
  player: number;
  /** When the clock's state came, in milliseconds of `performance.now`. */
  since: number;
  /** Whether it is the clock of the person who looks at it. */
  own: boolean;
  /** Whose it is. */
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

/** Milliseconds that a player has, so long after the site told it. */
export function timeLeft(clock: ClockInfo, player: number, after: number): number {
  const told = clock.left[player === 1 ? 1 : 0] ?? 0;
  return Math.max(0, told - (clock.running === player ? Math.max(0, after) : 0));
}

/** `3:07`, and tenths of a second in the last ten. */
export function timeText(left: number): string {
  if (left < LOW_MS) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.ceil(left / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
