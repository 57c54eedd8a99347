// What stands in place of a page that cannot be shown: why, and where to go instead, or another try.
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
  /** What is at `href`. */
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

/** The site cannot answer at the moment, or cannot be reached. */
export function Delayed({ error, onAgain }: { error: Error; onAgain: () => void }) {
  return (
    <Instead heading="This cannot be shown at the moment" trouble={error.message}>
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

/** There is no such thing, as `heading` says; or nobody knows at the moment. */
export function Nothing({ error, onAgain, ...refused }: NothingProps) {
  return isForGood(error) ? <Refused {...refused} trouble={error.message} /> : <Delayed error={error} onAgain={onAgain} />;
}
