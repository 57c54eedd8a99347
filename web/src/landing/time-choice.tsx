// The choice of a new game's time control: a preset, or a kind with numbers of its own.
import { Segments } from "./segments.tsx";
import { DAYS_PER_MOVE, TIMES, TIMES_OF_BOTS, chosen, clocksOf, fieldsOfTime, isOverDays } from "./times.ts";
import type { Time } from "./times.ts";

interface TimeProps {
  time: Time;
  /** Whether the opponent is a bot. */
  bot?: boolean;
  /** Whether the person is a guest, who cannot play over days. */
  guest?: boolean;
  onChange: (time: Time) => void;
}

export function TimeChoice({ time, bot = false, guest = false, onChange }: TimeProps) {
  const { fault } = clocksOf(time);
  const fields = fieldsOfTime(time);
  return (
    <>
      <Segments legend="Minutes + seconds per move" options={bot ? TIMES_OF_BOTS : TIMES} value={time.value} onChange={(value) => onChange(chosen(time, value))} />
      {isOverDays(time) && guest && (
        <p class="fault" role="status">
          Only accounts can play games over days. <a href="/settings">Log in</a>
        </p>
      )}
      {isOverDays(time) && <Segments legend="Days per move" options={DAYS_PER_MOVE} value={time.days} onChange={(days) => onChange({ ...time, days })} />}
      {fields.length > 0 && (
        <div class="beginning">
          {fields.map(({ name, title, max, step }) => (
            <label key={title} class="field">
              <span>{title}</span>
              <input
                type="number"
                min={0}
                max={max}
                step={step}
                value={time[name]}
                onInput={(event: Event) => onChange({ ...time, [name]: (event.target as HTMLInputElement).value })}
              />
            </label>
          ))}
          <p class="fault" role="status">
            {fault}
          </p>
        </div>
      )}
    </>
  );
}

interface BotTimeProps {
  /** The most seconds that the bot can be asked to think about a move; 0: none. */
  most: number;
  seconds: number | null;
  onSeconds: (seconds: number | null) => void;
  time: Time;
  onTime: (time: Time) => void;
}

const THINKS = [5, 15, 30, 60];

/** The clocks of a game against a bot, and how long the bot is to think; folded away, since most games need neither. */
export function BotTime({ most, seconds, onSeconds, time, onTime }: BotTimeProps) {
  const options = [{ value: "", name: "As usual" }, ...THINKS.filter((one) => one <= most).map((one) => ({ value: String(one), name: `${one} s` }))];
  return (
    <details class="more-time">
      <summary>Clocks and thinking time</summary>
      <TimeChoice time={time} bot onChange={onTime} />
      {options.length > 1 && (
        <Segments legend="The bot thinks per move" options={options} value={seconds === null ? "" : String(seconds)} onChange={(value) => onSeconds(value ? Number(value) : null)} />
      )}
    </details>
  );
}
