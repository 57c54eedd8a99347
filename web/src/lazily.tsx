// Loads a part of the page's script when it is first needed, so that the first page's script stays small.
import type { ComponentChildren, ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useAnswer } from "./answer.ts";
import type { OnNotice } from "./notice.ts";
import { Delayed } from "./refused.tsx";

interface LazilyProps<Part> {
  load: () => Promise<Part>;
  onNotice: OnNotice;
  /** Called if the part cannot be loaded. */
  onFail: () => void;
  children: (part: Part) => ComponentChildren;
}

export function Lazily<Part>({ load, onNotice, onFail, children }: LazilyProps<Part>) {
  const [part, setPart] = useState<{ loaded: Part } | null>(null);
  useEffect(() => {
    let gone = false;
    load().then(
      (loaded) => !gone && setPart({ loaded }),
      () => {
        if (gone) return;
        onNotice(new Error("This part of the page could not be loaded. Check the connection, and load the page again."));
        onFail();
      },
    );
    return () => {
      gone = true;
    };
  }, []);
  return <>{part && children(part.loaded)}</>;
}

/** Return a page that loads its script when it is first opened; `take` picks the page from what `load` loads. */
export function lazyPage<Part, Props extends object>(load: () => Promise<Part>, take: (part: Part) => ComponentType<Props>): (props: Props) => JSX.Element {
  let loaded: Part | null = null;
  const fetched = async () => {
    try {
      return { part: (loaded = await load()) };
    } catch {
      throw new Error("This page could not be loaded. Check the connection, and load the page again.");
    }
  };
  return function LazyPage(props: Props) {
    const [known] = useState(loaded && { part: loaded });
    const { found, error, again } = useAnswer(() => (known ? null : fetched()), []);
    const here = known ?? found;
    if (!here) return error ? <Delayed error={error} onAgain={again} /> : <main class="middle" />;
    const Page = take(here.part);
    return <Page {...props} />;
  };
}
