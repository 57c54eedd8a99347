// The bot token panel of the settings: create, list and revoke the tokens of one's own bots.
import { useEffect, useRef, useState } from "preact/hooks";
import type { TokenInfo } from "../api.gen.ts";
import { useAsking } from "../asking.ts";
import { Button } from "../button.tsx";
import { AddressField } from "../game/share.tsx";
import { Icon } from "../icons.tsx";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";
import { botTokens, endBotToken, makeBotToken } from "../people.ts";

interface TokensProps {
  onNotice: OnNotice;
}

interface Fresh {
  clientId: string;
  token: string;
}

export function BotTokens({ onNotice }: TokensProps) {
  const [tokens, setTokens] = useState<TokenInfo[] | null>(null);
  const [clientId, setClientId] = useState("");
  const [fresh, setFresh] = useState<Fresh | null>(null);
  const [busy, setBusy] = useState(false);
  const fail = (error: unknown) => onNotice(asError(error));
  const asked = useRef(0);
  const load = async () => {
    const number = ++asked.current;
    const found = await botTokens();
    if (number === asked.current) setTokens(found);
  };
  useEffect(() => void load().catch(fail), []);
  const attempt = async (what: () => Promise<void>) => {
    setBusy(true);
    try {
      await what();
      await load();
    } catch (error) {
      fail(error);
    } finally {
      setBusy(false);
    }
  };
  const make = (event: Event) => {
    event.preventDefault();
    const wanted = clientId.trim();
    void attempt(async () => {
      setFresh({ clientId: wanted, token: await makeBotToken(wanted) });
      setClientId("");
    });
  };
  const end = (ended: string) =>
    attempt(async () => {
      await endBotToken(ended);
      if (fresh?.clientId === ended) setFresh(null);
      onNotice(`The token of ${ended} has been revoked.`);
    });
  return (
    <section class="panel">
      <h2>Bot tokens</h2>
      <form class="stack" onSubmit={make}>
        <p class="quiet-note">
          Your own bots connect to this site under a client name. A token reserves that name: no one can connect under it without the token.
        </p>
        {tokens?.length === 0 && <p>You have no tokens yet.</p>}
        {tokens && tokens.length > 0 && (
          <ul class="tokens" aria-label="Your tokens">
            {tokens.map((token) => (
              <TokenLine key={token.clientId} token={token} busy={busy} onEnd={() => end(token.clientId)} />
            ))}
          </ul>
        )}
        {fresh && <Shown key={fresh.token} fresh={fresh} onNotice={onNotice} />}
        <label class="field">
          <span>Client name</span>
          <input
            type="text"
            value={clientId}
            maxLength={100}
            autocomplete="off"
            spellcheck={false}
            placeholder="anns-bots"
            onInput={(event: Event) => setClientId((event.target as HTMLInputElement).value)}
          />
        </label>
        <div class="row">
          <Button type="submit" disabled={busy || !clientId.trim()}>
            Create a token
          </Button>
        </div>
      </form>
    </section>
  );
}

/** A newly created token, with the command that uses it. */
function Shown({ fresh: { clientId, token }, onNotice }: { fresh: Fresh } & TokensProps) {
  const field = useRef<HTMLInputElement>(null);
  const command = `LUDUS_BOT_TOKEN=${token} ludus bot --server ${location.origin} --config bots.toml --client-id '${clientId.replaceAll("'", "'\\''")}'`;
  useEffect(() => field.current?.focus(), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command);
      onNotice("Command copied.");
    } catch {
      onNotice("This browser does not allow copying. Select the command and copy it yourself."); // the clipboard requires https
    }
  };
  return (
    <div class="stack" role="group" aria-label="The new token">
      <p role="status">
        This is the token of {clientId}. It is shown only once: store it safely and start your bots with it.
      </p>
      <label class="field">
        <span>Token</span>
        <AddressField field={field} address={token} label={`The token of ${clientId}`} />
      </label>
      <pre class="command">
        <code>{command}</code>
      </pre>
      <div class="row">
        <Button class="button quiet" onClick={copy}>
          <Icon name="link" />
          Copy the command
        </Button>
      </div>
    </div>
  );
}

function TokenLine({ token, busy, onEnd }: { token: TokenInfo; busy: boolean; onEnd: () => void }) {
  const { asking, ask, button, harmless } = useAsking();
  const day = (seconds: number) => new Date(seconds * 1000).toLocaleDateString();
  return (
    <li>
      <span>
        <strong>{token.clientId}</strong>
        <small>
          ends in {token.ending}, created on {day(token.made)}, {token.used === null ? "not used yet" : `last used on ${day(token.used)}`}
        </small>
      </span>
      {asking ? (
        <div class="row" role="group" aria-label={`Revoke the token of ${token.clientId}?`}>
          <Button class="button danger small" disabled={busy} onClick={onEnd}>
            Yes, revoke it
          </Button>
          <Button ref={harmless} class="button small" onClick={() => ask(false)}>
            Keep it
          </Button>
        </div>
      ) : (
        <Button ref={button} class="button quiet small" aria-label={`Revoke the token of ${token.clientId}`} onClick={() => ask(true)}>
          Revoke
        </Button>
      )}
    </li>
  );
}
