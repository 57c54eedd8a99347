// A text that stays on one line: where it is cut off, the whole of it is its tooltip.
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

/** Whether it fits is asked when somebody points there: windows and names change. */
function tell(event: PointerEvent): void {
  const text = event.currentTarget as HTMLElement;
  if (text.scrollWidth > text.clientWidth) text.title = text.textContent.trim();
  else text.removeAttribute("title");
}
