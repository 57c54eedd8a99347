// A text on one line that shows its full length as a tooltip where it is cut off.
import type { ComponentChildren } from "preact";

interface ClippedProps {
  class?: string;
  children: ComponentChildren;
}

export function Clipped({ class: also = "", children }: ClippedProps) {
  return (
    <span class={`clipped ${also}`} onPointerEnter={tell}>
      {children}
    </span>
  );
}

/** Set the tooltip when the pointer enters, since the width and the text may have changed. */
function tell(event: PointerEvent): void {
  const text = event.currentTarget as HTMLElement;
  if (text.scrollWidth > text.clientWidth) text.title = text.textContent.trim();
  else text.removeAttribute("title");
}
