// A button that can have nothing to do: it stays where the keyboard is, which `disabled` would drop to the page.
import type { ButtonHTMLAttributes } from "preact";

interface ButtonProps extends Omit<ButtonHTMLAttributes, "disabled" | "aria-disabled" | "onClick"> {
  /** Whether pressing it does nothing at the moment. */
  disabled?: boolean;
  onClick?: () => void;
}

export function Button({ disabled = false, onClick, ...rest }: ButtonProps) {
  const onPress = (event: Event) => {
    // Enter in a field presses the button that submits, too
    if (disabled) event.preventDefault();
    else onClick?.();
  };
  return <button type="button" class="button" {...rest} aria-disabled={disabled} onClick={onPress} />;
}
