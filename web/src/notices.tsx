// The overlay that shows the latest notice on every page.
import { useEffect, useRef } from "preact/hooks";
import { useReturn } from "./keyboard.ts";

const NEWS_MS = 6000;

/** One notice; a new object each time, so that repeated text is shown again. */
export interface Said {
  said: string | Error;
}

interface NoticesProps {
  latest: Said | null;
  onDismiss: () => void;
}

export function Notices({ latest, onDismiss }: NoticesProps) {
  useEffect(() => {
    if (!latest || latest.said instanceof Error) return;
    const timer = setTimeout(onDismiss, NEWS_MS);
    return () => clearTimeout(timer);
  }, [latest]);
  return (
    <div class="notices" role="alert">
      {latest && <Notice sentence={latest.said instanceof Error ? latest.said.message : latest.said} onDismiss={onDismiss} />}
    </div>
  );
}

function Notice({ sentence, onDismiss }: { sentence: string; onDismiss: () => void }) {
  const part = useRef<HTMLParagraphElement>(null);
  useReturn(part);
  return (
    <p ref={part} class="notice">
      {sentence}
      <button type="button" aria-label="Dismiss" onClick={onDismiss}>
        ×
      </button>
    </p>
  );
}
