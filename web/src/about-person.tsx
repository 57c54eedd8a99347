// What one can do about another person: report the person or a message to the operator, and block the person.
import { useEffect, useRef, useState } from "preact/hooks";
import type { SendReport } from "./api.gen.ts";
import { block, report, unblock, useBlocked } from "./blocked.ts";
import { Button } from "./button.tsx";
import { asError } from "./notice.ts";
import type { OnNotice } from "./notice.ts";

interface AboutProps {
  name: string;
  /** The person's public key; empty if it is unknown, so that the person cannot be blocked. */
  personKey: string;
  /** What a report is about. */
  about: Omit<SendReport, "why">;
  onNotice: OnNotice;
  /** Close this panel; without it, the panel stays. */
  onClose?: () => void;
}

export function AboutPerson({ name, personKey, about, onNotice, onClose }: AboutProps) {
  const [why, setWhy] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const isBlocked = useBlocked().some((person) => person.key === personKey);
  const first = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (onClose) first.current?.focus();
  }, []);
  useEffect(() => field.current?.focus(), [why === null]);
  const attempt = async (what: () => Promise<unknown>, said: string) => {
    setBusy(true);
    try {
      await what();
      onNotice(said);
      setWhy(null);
      onClose?.();
    } catch (error) {
      onNotice(asError(error));
    } finally {
      setBusy(false);
    }
  };
  if (why !== null) {
    const send = (event: Event) => {
      event.preventDefault();
      if (!busy) void attempt(() => report({ ...about, why: why.trim() }), "Thank you. The operator will see your report.");
    };
    return (
      <form class="about-person" aria-label={`Report ${name}`} onSubmit={send}>
        <label class="field">
          <span>{about.line === undefined ? `What is wrong with ${name}?` : `What is wrong with this message of ${name}?`}</span>
          <input ref={field} type="text" maxLength={300} value={why} onInput={(event: Event) => setWhy((event.target as HTMLInputElement).value)} />
        </label>
        <div class="row">
          <Button type="submit" class="button small" disabled={busy}>
            Send the report
          </Button>
          <Button class="button quiet small" onClick={() => setWhy(null)}>
            Cancel
          </Button>
        </div>
      </form>
    );
  }
  return (
    <div class="about-person row" role="group" aria-label={`About ${name}`}>
      <Button ref={first} class="button small" onClick={() => setWhy("")}>
        {about.line === undefined ? `Report ${name}` : "Report the message"}
      </Button>
      {personKey && !isBlocked && (
        <Button class="button small" disabled={busy} onClick={() => attempt(() => block(personKey, name), `${name} is blocked: no games together, and no chat.`)}>
          Block {name}
        </Button>
      )}
      {isBlocked && (
        <Button class="button small" disabled={busy} onClick={() => attempt(() => unblock(personKey), `${name} is no longer blocked.`)}>
          Unblock {name}
        </Button>
      )}
      {onClose && (
        <Button class="button quiet small" onClick={onClose}>
          Cancel
        </Button>
      )}
    </div>
  );
}
