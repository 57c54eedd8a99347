// Buttons for what an operator can do with one line of a list; each asks for the reason, which the log keeps.
import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../button.tsx";
import { Choice } from "../choice.tsx";
import { PERIODS } from "./desk.ts";
import type { Act } from "./desk.ts";

export type OnAct = (act: Act) => Promise<boolean>;

export interface Deed {
  name: string;
  act: Act["act"];
  subject: string;
  /** Whether it lasts for a period. */
  lasts?: boolean;
}

interface DoingProps {
  /** What the deeds are about, for screen readers. */
  about: string;
  deeds: Deed[];
  onAct: OnAct;
}

export function Doing({ about, deeds, onAct }: DoingProps) {
  const [chosen, setChosen] = useState<Deed | null>(null);
  const buttons = useRef<HTMLDivElement>(null);
  const close = () => {
    const index = deeds.findIndex((deed) => deed.name === chosen?.name);
    setChosen(null);
    requestAnimationFrame(() => (buttons.current?.children[index] as HTMLElement | undefined)?.focus());
  };
  if (chosen) return <Reasoned about={about} deed={chosen} onAct={onAct} onClose={close} />;
  return (
    <div class="row deeds" ref={buttons}>
      {deeds.map((deed) => (
        <Button key={deed.name} class="button small" aria-label={`${deed.name}: ${about}`} onClick={() => setChosen(deed)}>
          {deed.name}
        </Button>
      ))}
    </div>
  );
}

interface ReasonedProps {
  about: string;
  deed: Deed;
  onAct: OnAct;
  onClose: () => void;
}

function Reasoned({ about, deed, onAct, onClose }: ReasonedProps) {
  const [why, setWhy] = useState("");
  const [period, setPeriod] = useState(1);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!why.trim() || busy) return;
    setBusy(true);
    const hours = deed.lasts ? (PERIODS[period]?.hours ?? null) : null;
    const done = await onAct({ act: deed.act, subject: deed.subject, why: why.trim(), hours });
    setBusy(false);
    if (done) onClose();
  };
  return (
    <form class="reasoned" aria-label={`${deed.name}: ${about}`} onSubmit={submit}>
      <label class="field">
        <span>Why</span>
        <input ref={field} type="text" maxLength={300} value={why} onInput={(event: Event) => setWhy((event.target as HTMLInputElement).value)} />
      </label>
      {deed.lasts && <Period period={period} onPeriod={setPeriod} />}
      <div class="row">
        <Button type="submit" class="button danger small" disabled={busy || !why.trim()}>
          {deed.name}
        </Button>
        <Button class="button small" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

export function Period({ period, onPeriod }: { period: number; onPeriod: (period: number) => void }) {
  return <Choice title="For" value={String(period)} options={PERIODS.map(({ name }, index) => ({ value: String(index), name }))} onChange={(value) => onPeriod(Number(value))} />;
}
