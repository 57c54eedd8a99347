// The panel of an account's mail address in the settings; empty if the site sends no mail.
import { useEffect, useState } from "preact/hooks";
import type { MailState } from "../api.gen.ts";
import { call } from "../api.ts";
import { Button } from "../button.tsx";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";

export function Mail({ onNotice }: { onNotice: OnNotice }) {
  const [state, setState] = useState<MailState | null>(null);
  const [address, setAddress] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    call("get", "/api/mail").then(setState, () => {});
  }, []);
  if (!state?.offered) return null;
  const change = async (what: Promise<MailState>, done: string) => {
    setBusy(true);
    try {
      setState(await what);
      setAddress("");
      onNotice(done);
    } catch (error) {
      onNotice(asError(error));
    }
    setBusy(false);
  };
  return (
    <section class="panel">
      <h2>Mail</h2>
      <p class="quiet-note">
        {state.address === null
          ? "With an address, you get a letter when it is your turn in a game over days. Nobody sees the address."
          : state.confirmed
            ? `Letters go to ${state.address}.`
            : `Open the link that was sent to ${state.address} to confirm it.`}
      </p>
      {state.confirmed && (
        <label class="switch">
          <span>
            <strong>Letters about your turns</strong>
            <small>In games over days, and never while you are here.</small>
          </span>
          <input
            type="checkbox"
            role="switch"
            checked={state.wanted}
            disabled={busy}
            onChange={() => change(call("put", "/api/mail/wanted", { body: { wanted: !state.wanted } }), state.wanted ? "You get no more letters." : "You get letters about your turns.")}
          />
        </label>
      )}
      <form
        class="stack"
        onSubmit={(event: Event) => {
          event.preventDefault();
          void change(call("put", "/api/mail", { body: { address } }), "A link was sent to this address.");
        }}
      >
        <label class="field">
          <span>{state.address === null ? "Mail address" : "New mail address"}</span>
          <input type="email" autocomplete="email" maxLength={254} value={address} onInput={(event: Event) => setAddress((event.target as HTMLInputElement).value)} />
        </label>
        <div class="row">
          <Button type="submit" class="button primary" disabled={busy || !address}>
            Send the link
          </Button>
          {state.address !== null && (
            <Button disabled={busy} onClick={() => change(call("delete", "/api/mail"), "Your address has been removed.")}>
              Remove the address
            </Button>
          )}
        </div>
      </form>
    </section>
  );
}
