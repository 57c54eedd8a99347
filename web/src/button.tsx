// A button that keeps the keyboard focus while it is disabled; the `disabled` attribute would lose it.
import type { ButtonHTMLAttributes } from "preact";

interface ButtonProps extends Omit<ButtonHTMLAttributes, "disabled" | "aria-disabled" | "onClick"> {
  /** Whether a press has no effect. */
  disabled?: boolean;
  onClick?: () => void;
}

export function Button({ disabled = false, onClick, ...rest }: ButtonProps) {
  const onPress = (event: Event) => {
    // Enter in a field also presses the submit button
    if (disabled) event.preventDefault();
    else onClick?.();
  };
  return <button type="button" class="button" {...rest} aria-disabled={disabled} onClick={onPress} />;
}
