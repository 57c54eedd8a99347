// The page behind the links in mail: confirms an address, or stops letters; a link that is only looked at changes nothing.
import { useEffect, useState } from "preact/hooks";
import { call } from "../api.ts";
import { Button } from "../button.tsx";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";

const PARTS = /^#(confirm|stop)=([\w-]+)$/;

export function MailPage({ onNotice }: { onNotice: OnNotice }) {
  const [, what = "", token = ""] = PARTS.exec(location.hash) ?? [];
  const [done, setDone] = useState(false);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    document.title = "Mail – Ludus";
  }, []);
  const act = async () => {
    setBusy(true);
    try {
      if (what === "confirm") await call("post", "/api/mail/confirm", { body: { token } });
      else await call("post", "/api/mail/stop/{token}", { params: { path: { token } } });
      setDone(true);
    } catch (error) {
      onNotice(asError(error));
    }
    setBusy(false);
  };
  if (!token) {
    return (
      <main class="page narrow">
        <h1>Mail</h1>
        <p>This link is incomplete. Copy the whole link from the letter.</p>
      </main>
    );
  }
  const confirms = what === "confirm";
  return (
    <main class="page narrow">
      <h1>{confirms ? "Confirm your mail address" : "Stop letters"}</h1>
      {done ? (
        <p role="status">{confirms ? "Your address is confirmed. You get a letter when it is your turn in a game over days." : "You get no more letters. You can switch them on again in the settings."}</p>
      ) : (
        <>
          <p>{confirms ? "Letters about your turns in games over days will go to this address." : "You will get no more letters about your turns."}</p>
          <Button class="button primary" disabled={busy} onClick={act}>
            {confirms ? "Confirm" : "Stop letters"}
          </Button>
        </>
      )}
      <p>
        <a href="/settings">Settings</a>
      </p>
    </main>
  );
}
