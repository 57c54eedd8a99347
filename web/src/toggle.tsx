// An icon button with a pressed and an unpressed state.
import { Icon } from "./icons.tsx";
import type { IconName } from "./icons.tsx";

interface ToggleProps {
  icon: IconName;
  name: string;
  title?: string;
  pressed: boolean;
  onToggle: () => void;
}

export function Toggle({ icon, name, title = name, pressed, onToggle }: ToggleProps) {
  return (
    <button type="button" class="icon-button" aria-label={name} title={title} aria-pressed={pressed} onClick={onToggle}>
      <Icon name={icon} />
    </button>
  );
}
