// The chat of players and spectators.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ChatMessage } from "../api.gen.ts";
import { Button } from "../button.tsx";
import { prefer, usePrefs } from "../prefs.ts";
import { play } from "../sound.ts";

interface ChatProps {
  messages: ChatMessage[];
  ready: boolean;
  onSay: (text: string) => void;
}

const LONGEST = 280;

export function ChatBox({ messages, ready, onSay }: ChatProps) {
  const { chat: open } = usePrefs();
  const [text, setText] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const latest = messages.at(-1);
  const heard = useRef(latest);
  useEffect(() => {
    if (latest !== heard.current && open) play("chat");
    heard.current = latest;
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [latest, open]);
  return (
    <details class="chat" open={open} onToggle={(event: Event) => prefer({ chat: (event.currentTarget as HTMLDetailsElement).open })}>
      <summary>Chat{!open && messages.length > 0 ? ` (${messages.length})` : ""}</summary>
      {messages.length > 0 && (
        <div ref={list} class="said" role="log" aria-label="Chat" tabindex={0}>
          {messages.map((message) => (
            <p key={`${message.at}-${message.name}-${message.text}`}>
              <strong class={message.side === null ? "" : `owner-${message.side}`}>{message.name}</strong> {message.text}
            </p>
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
    </details>
  );
}
