// Buttons for actions without a location on the board, such as a pass, with a confirmation if moves are confirmed.
import { useEffect, useState } from "preact/hooks";
import type { Choice } from "../api.gen.ts";
import { useAsking } from "../asking.ts";

interface ButtonsProps {
  choices: Choice[];
  /** Ask for confirmation before each action. */
  confirm: boolean;
  ply: number;
  onAct: (action: number) => void;
}

const nameOf = (choice: Choice) => choice.label ?? choice.text;

export function ActionButtons({ choices, confirm, ply, onAct }: ButtonsProps) {
  const { asking, ask, button, harmless } = useAsking();
  const [pressed, setPressed] = useState<number | null>(null);
  useEffect(() => ask(false), [ply]);
  const act = (action: number) => {
    ask(false);
    onAct(action);
  };
  const asked = asking && choices.find(({ action }) => action === pressed);
  if (asked) {
    const question = asked.ask ?? `${nameOf(asked)}?`;
    return (
      <div
        key="asking"
        class="sure"
        role="group"
        aria-label={question}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === "Escape") ask(false);
        }}
      >
        <span>{question}</span>
        <button type="button" class="button small primary" onClick={() => act(asked.action)}>
          Yes
        </button>
        <button ref={harmless} type="button" class="button small" onClick={() => ask(false)}>
          No
        </button>
      </div>
    );
  }
  const press = ({ action, ask: question }: Choice) => {
    setPressed(action);
    if (confirm || question) ask(true);
    else onAct(action);
  };
  return (
    <>
      {choices.map((choice) => (
        <button
          key={choice.action}
          ref={choice.action === pressed ? button : null}
          type="button"
          class="button small"
          onClick={() => press(choice)}
        >
          {nameOf(choice)}
        </button>
      ))}
    </>
  );
}
