// The choice of a new game's time control: a preset or custom numbers.
import { Segments } from "./segments.tsx";
import { TIMES, chosen, clocksOf, isCustom } from "./times.ts";
import type { Time } from "./times.ts";

interface TimeProps {
  time: Time;
  onChange: (time: Time) => void;
}

export function TimeChoice({ time, onChange }: TimeProps) {
  const { fault } = clocksOf(time);
  const field = (name: "minutes" | "seconds", title: string, step: string) => (
    <label class="field">
      <span>{title}</span>
      <input
        type="number"
        min={0}
        max={180}
        step={step}
        value={time[name]}
        onInput={(event: Event) => onChange({ ...time, [name]: (event.target as HTMLInputElement).value })}
      />
    </label>
  );
  return (
    <>
      <Segments legend="Minutes + seconds per move" options={TIMES} value={time.value} onChange={(value) => onChange(chosen(time, value))} />
      {isCustom(time) && (
        <div class="beginning">
          {field("minutes", "Minutes", "any")}
          {field("seconds", "Seconds per move", "1")}
          <p class="fault" role="status">
            {fault}
          </p>
        </div>
      )}
    </>
  );
}
