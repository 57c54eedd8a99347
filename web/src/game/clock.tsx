// A player's clock: the time from the site's last message, counted down locally until the next.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ClockInfo } from "../api.gen.ts";
import { play } from "../sound.ts";
import { faceOf, isOverDays, overtimeText, timeText } from "./clock-face.ts";
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
  const face = faceOf(clock, player, now - since);
  useEffect(() => {
    if (face.low && running && own && !warned.current) play("low");
    warned.current = face.low;
  }, [face.low, running]);
  if (isOverDays(clock) && !running) return null; // a stopped clock shows only the days of the next move
  const more = overtimeText(clock, face);
  return (
    <span
      class={`clock ${running ? "running" : ""} ${face.low ? "low" : ""}`}
      role="timer"
      aria-label={`${own ? "Your time" : `Time of ${name}`}: ${spokenTime(face.left)}${more && `, ${more}`}`}
    >
      {timeText(face.left)}
      {more && <small>{more}</small>}
    </span>
  );
}
