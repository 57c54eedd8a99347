// The chat of players and spectators; the name of a speaker opens what one can do about that person.
import { useEffect, useRef, useState } from "preact/hooks";
import { AboutPerson } from "../about-person.tsx";
import type { ChatMessage, GameState } from "../api.gen.ts";
import { useBlocked } from "../blocked.ts";
import { Button } from "../button.tsx";
import { usePerson } from "../identity.ts";
import type { OnNotice } from "../notice.ts";
import { prefer, usePrefs } from "../prefs.ts";
import { play } from "../sound.ts";

interface ChatProps {
  state: GameState;
  messages: ChatMessage[];
  ready: boolean;
  onSay: (text: string) => void;
  onNotice: OnNotice;
}

const LONGEST = 280;

export function ChatBox({ state, messages, ready, onSay, onNotice }: ChatProps) {
  const { chat: open } = usePrefs();
  const [text, setText] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const blocked = useBlocked().map((person) => person.key);
  const heard = messages.filter((message) => !message.key || !blocked.includes(message.key));
  const latest = heard.at(-1);
  const last = useRef(latest);
  useEffect(() => {
    if (latest !== last.current && open) play("chat");
    last.current = latest;
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [latest, open]);
  return (
    <details class="chat" open={open} onToggle={(event: Event) => prefer({ chat: (event.currentTarget as HTMLDetailsElement).open })}>
      <summary>Chat{!open && heard.length > 0 ? ` (${heard.length})` : ""}</summary>
      {heard.length > 0 && (
        <div ref={list} class="said" role="log" aria-label="Chat" tabindex={0}>
          {heard.map((message) => (
            <Line key={`${message.line}-${message.at}`} game={state.id} you={state.you} message={message} onNotice={onNotice} />
          ))}
        </div>
      )}
      <form
        onSubmit={(event: Event) => {
          event.preventDefault();
          const said = text.trim();
          if (!said) return;
          onSay(said);
          setText("");
        }}
      >
        <input
          type="text"
          aria-label="Write a message"
          placeholder="Write a message"
          autocomplete="off"
          maxLength={LONGEST}
          value={text}
          onInput={(event: Event) => setText((event.target as HTMLInputElement).value)}
        />
        <Button type="submit" class="button small" disabled={!ready}>
          Send
        </Button>
      </form>
      {state.players.map(
        (player, side) =>
          player.kind === "person" && side !== state.you && <Opponent key={side} game={state.id} side={side} player={player} onNotice={onNotice} />,
      )}
    </details>
  );
}

interface LineProps {
  game: string;
  you: number | null;
  message: ChatMessage;
  onNotice: OnNotice;
}

function Line({ game, you, message, onNotice }: LineProps) {
  const [asking, setAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const me = usePerson();
  const mine = message.side === null ? message.key !== "" && message.key === me?.key : message.side === you;
  const look = message.side === null ? "" : `owner-${message.side}`;
  const close = () => {
    setAsking(false);
    button.current?.focus();
  };
  return (
    <div class="line">
      <p>
        {mine || !message.line ? (
          <strong class={look}>{message.name}</strong>
        ) : (
          <button ref={button} type="button" class={`speaker ${look}`} aria-expanded={asking} title="Report or block" onClick={() => setAsking(!asking)}>
            {message.name}
          </button>
        )}{" "}
        {message.text}
      </p>
      {asking && (
        <AboutPerson
          name={message.name}
          personKey={message.key}
          about={{ gameId: game, line: message.line }}
          onNotice={onNotice}
          onClose={close}
        />
      )}
    </div>
  );
}

interface OpponentProps {
  game: string;
  side: number;
  player: GameState["players"][number];
  onNotice: OnNotice;
}

function Opponent({ game, side, player, onNotice }: OpponentProps) {
  const [asking, setAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setAsking(false);
    requestAnimationFrame(() => button.current?.focus());
  };
  return asking ? (
    <AboutPerson name={player.name} personKey={player.key} about={{ gameId: game, side }} onNotice={onNotice} onClose={close} />
  ) : (
    <Button ref={button} class="button quiet small" onClick={() => setAsking(true)}>
      Report or block {player.name}
    </Button>
  );
}
