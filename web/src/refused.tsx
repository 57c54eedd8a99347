// The pages shown in place of one that cannot be shown: the reason, and a link elsewhere or a retry.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { isForGood } from "./answer.ts";

interface InsteadProps {
  heading: string;
  trouble: string;
  children: ComponentChildren;
}

function Instead({ heading, trouble, children }: InsteadProps) {
  useEffect(() => {
    document.title = `${heading} – Ludus`;
  }, [heading]);
  return (
    <main class="middle">
      <h1>{heading}</h1>
      <p>{trouble}</p>
      {children}
    </main>
  );
}

interface RefusedProps {
  heading: string;
  trouble: string;
  href: string;
  /** The text of the link to `href`. */
  instead: string;
}

export function Refused({ href, instead, ...why }: RefusedProps) {
  return (
    <Instead {...why}>
      <a class="button primary" href={href}>
        {instead}
      </a>
    </Instead>
  );
}

/** Shown for errors that may pass: offers a retry. */
export function Delayed({ error, onAgain }: { error: Error; onAgain: () => void }) {
  return (
    <Instead heading="This page cannot be shown right now" trouble={error.message}>
      <button type="button" class="button primary" onClick={onAgain}>
        Try again
      </button>
    </Instead>
  );
}

interface NothingProps extends Omit<RefusedProps, "trouble"> {
  error: Error;
  onAgain: () => void;
}

/** Shown if a request failed: a link elsewhere if it failed permanently, else a retry. */
export function Nothing({ error, onAgain, ...refused }: NothingProps) {
  return isForGood(error) ? <Refused {...refused} trouble={error.message} /> : <Delayed error={error} onAgain={onAgain} />;
}
