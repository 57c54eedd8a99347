// Whether the window is so narrow that the style sheets use a single column.
import { useEffect, useState } from "preact/hooks";

const NARROW = "(max-width: 56rem)"; // as in phone.css and landing.css

export function isNarrow(): boolean {
  return matchMedia(NARROW).matches;
}

/** Whether the layout is a single column; for parts that must also change their order for Tab and screen readers. */
export function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(isNarrow);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const onChange = () => setNarrow(query.matches);
    query.addEventListener("change", onChange);
    return () => query.removeEventListener("change", onChange);
  }, []);
  return narrow;
}
