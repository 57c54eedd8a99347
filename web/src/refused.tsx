// What stands in place of a page that cannot be shown: why, and where to go instead.
import { useEffect } from "preact/hooks";

interface RefusedProps {
  heading: string;
  trouble: string;
  href: string;
  /** What is at `href`. */
  instead: string;
}

export function Refused({ heading, trouble, href, instead }: RefusedProps) {
  useEffect(() => {
    document.title = `${heading} – Ludus`;
  }, [heading]);
  return (
    <main class="middle">
      <h1>{heading}</h1>
      <p>{trouble}</p>
      <a class="button primary" href={href}>
        {instead}
      </a>
    </main>
  );
}
