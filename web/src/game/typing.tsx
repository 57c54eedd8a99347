// The field for typed moves, for people who prefer notation, use a screen reader or have no mouse.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Choice, Edge } from "../api.gen.ts";
import { typed } from "../board/typed.ts";

interface TypingProps {
  /** The legal choices. */
  choices: Choice[];
  walls: Edge[];
  active: boolean;
  /** Whether an earlier position is on the board. */
  back: boolean;
  ply: number;
  onAct: (action: number) => void;
}

export function Typing({ choices, walls, active, back, ply, onAct }: TypingProps) {
  const [text, setText] = useState("");
  const [due, setDue] = useState<number | null>(null); // the ply at which the rest of the text is played automatically
  const [fault, setFault] = useState("");
  const [agreed, setAgreed] = useState(""); // the text whose question was shown: typed once more, it is played
  const field = useRef<HTMLInputElement>(null);

  const enter = () => {
    const found = typed(text, choices, walls);
    if ("fault" in found) {
      setFault(found.fault);
      setDue(null);
      return;
    }
    const question = choices.find(({ action }) => action === found.action)?.ask;
    if (question && agreed !== text) {
      setFault(`${question} To do so, press Play again.`);
      setAgreed(text);
      setDue(null);
      return;
    }
    setFault("");
    setText(found.rest);
    setDue(found.rest ? ply + 1 : null);
    onAct(found.action);
  };
  useEffect(() => {
    if (!active || due === null) return;
    // the rest of a multi-action move is played once the first action is confirmed, but not after the opponent's turn
    if (ply === due) enter();
    else {
      setDue(null);
      setFault(`“${text}” has not been played. Play it, or type another move.`);
      if (document.activeElement === field.current) field.current?.select(); // so that typing replaces it
    }
  }, [ply, active]);

  return (
    <form
      class="typing"
      onSubmit={(event: Event) => {
        event.preventDefault();
        if (active) enter();
        else setFault(back ? "The board shows an earlier position. Go back to the game first." : "It is not your turn.");
      }}
    >
      <label>
        <span>Type a move</span>
        <input
          ref={field}
          type="text"
          value={text}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          maxLength={60}
          placeholder={choices[0]?.move ?? choices[0]?.text ?? ""}
          aria-describedby="typing-fault"
          onInput={(event: Event) => {
            setText((event.target as HTMLInputElement).value);
            setDue(null);
          }}
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
