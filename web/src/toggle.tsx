// An icon button with a word below and a pressed and an unpressed state.
import { Icon } from "./icons.tsx";
import type { IconName } from "./icons.tsx";

interface ToggleProps {
  icon: IconName;
  name: string;
  /** The visible word, part of the name. */
  word?: string;
  title?: string;
  pressed: boolean;
  onToggle: () => void;
}

export function Toggle({ icon, name, word = name, title = name, pressed, onToggle }: ToggleProps) {
  return (
    <button type="button" class="icon-button" aria-label={name} title={title} aria-pressed={pressed} onClick={onToggle}>
      <Icon name={icon} />
      <small>{word}</small>
    </button>
  );
}
