// Loads a part of the page's script when it is first needed, so that the first page's script stays small.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { OnNotice } from "./notice.ts";

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
