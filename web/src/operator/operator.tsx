// The operator's page: signs in with the token, and shows what happens on the site.
import { useEffect, useState } from "preact/hooks";
import type { OperatorView } from "../api.gen.ts";
import { SiteError } from "../api.ts";
import { Button } from "../button.tsx";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";
import { poll } from "../polled.ts";
import "../styles/operator.css";
import { act, view } from "./desk.ts";
import type { Act, Operator } from "./desk.ts";
import { Health } from "./health.tsx";
import { Bots, Games, Log, People, Reports, Restrictions } from "./lists.tsx";

const EVERY_MS = 5000;

export function OperatorPage({ onNotice }: { onNotice: OnNotice }) {
  const [operator, setOperator] = useState<Operator | null>(null);
  const [found, setFound] = useState<OperatorView | null>(null);
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    document.title = "Operator – Ludus";
  }, []);
  useEffect(() => {
    if (!operator) return undefined;
    const take = (answer: OperatorView) => {
      setFound(answer);
      setTrouble("");
    };
    const fail = (error: Error) => {
      setTrouble(error.message);
      if (error instanceof SiteError && [403, 429].includes(error.status)) {
        setOperator(null);
        setFound(null);
      }
    };
    return poll(() => view(operator), EVERY_MS, take, fail);
  }, [operator]);
  if (!operator || !found) return <SignIn trouble={trouble} busy={operator !== null && !trouble} onSignIn={setOperator} />;
  const onAct = async (what: Act): Promise<boolean> => {
    try {
      setFound(await act(operator, what));
      onNotice("Done, and written into the log.");
      return true;
    } catch (error) {
      onNotice(asError(error));
      return false;
    }
  };
  return (
    <main class="page operator">
      <h1>Operator</h1>
      {trouble && (
        <p class="line-lost" role="alert">
          {trouble}
        </p>
      )}
      <Health health={found.health} />
      <Reports reports={found.reports} onAct={onAct} />
      <Games games={found.games} onAct={onAct} />
      <People people={found.people} onAct={onAct} />
      <Bots bots={found.bots} onAct={onAct} />
      <Restrictions restrictions={found.restrictions} onAct={onAct} />
      <Log acts={found.acts} />
    </main>
  );
}

function SignIn({ trouble, busy, onSignIn }: { trouble: string; busy: boolean; onSignIn: (operator: Operator) => void }) {
  const [token, setToken] = useState("");
  const [who, setWho] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    if (token && who.trim() && !busy) onSignIn({ token, who: who.trim() });
  };
  return (
    <main class="page narrow">
      <h1>Operator</h1>
      <section class="panel">
        <form class="stack" onSubmit={submit}>
          <p class="quiet-note">This page is for the operator of the site. The token stays in this tab: it is asked again after the page is loaded again.</p>
          {trouble && (
            <p class="line-lost" role="alert">
              {trouble}
            </p>
          )}
          <label class="field">
            <span>Operator's token</span>
            <input type="password" autocomplete="off" value={token} onInput={(event: Event) => setToken((event.target as HTMLInputElement).value)} />
          </label>
          <label class="field">
            <span>Your name, for the log</span>
            <input type="text" autocomplete="off" maxLength={40} value={who} onInput={(event: Event) => setWho((event.target as HTMLInputElement).value)} />
          </label>
          <div class="row">
            <Button type="submit" class="button primary" disabled={busy || !token || !who.trim()}>
              Sign in
            </Button>
          </div>
        </form>
      </section>
    </main>
  );
}
