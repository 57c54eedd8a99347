// The field for a typed move: for people who play by notation, by ear or without a mouse.
import { useEffect, useState } from "preact/hooks";
import type { Choice } from "../api.gen.ts";
import { typed } from "../board/typed.ts";

interface TypingProps {
  /** What is legal now. */
  choices: Choice[];
  active: boolean;
  onAct: (action: number) => void;
}

export function Typing({ choices, active, onAct }: TypingProps) {
  const [text, setText] = useState("");
  const [queue, setQueue] = useState("");
  const [fault, setFault] = useState("");

  const enter = (wanted: string) => {
    const found = typed(wanted, choices);
    if ("fault" in found) {
      setFault(found.fault);
      setQueue("");
      return;
    }
    setFault("");
    setText("");
    setQueue(found.rest);
    onAct(found.action);
  };
  useEffect(() => {
    // the rest of a move of several actions follows as soon as the first one stands
    if (queue && active && choices.length) enter(queue);
  }, [choices, active]);

  return (
    <form
      class="typing"
      onSubmit={(event: Event) => {
        event.preventDefault();
        if (active) enter(text);
        else setFault("It is not your turn.");
      }}
    >
      <label>
        <span>Type a move</span>
        <input
          type="text"
          value={text}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          maxLength={60}
          placeholder={choices[0]?.move ?? choices[0]?.text ?? ""}
          aria-describedby="typing-fault"
          onInput={(event: Event) => setText((event.target as HTMLInputElement).value)}
        />
      </label>
      <button type="submit" class="button small">
        Play
      </button>
      <p id="typing-fault" class="fault" role="status">
        {fault}
      </p>
    </form>
  );
}
