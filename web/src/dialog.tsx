// A modal dialog: keeps the focus inside, closes with Escape or a click beside it, and returns the focus afterwards.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  title: string;
  className?: string;
  onClose: () => void;
  children: ComponentChildren;
}

export function Dialog({ title, className = "", onClose, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = box.current;
    const before = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={box}
      class={`dialog ${className}`}
      aria-label={title}
      onCancel={(event: Event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event: MouseEvent) => event.target === box.current && onClose()}
    >
      <div class="dialog-content">
        <div class="dialog-head">
          <h2>{title}</h2>
          <button type="button" class="icon-button" aria-label="Close" title="Close" onClick={onClose}>
            ×
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
