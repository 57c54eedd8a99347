// Whether the window is so narrow or low that the style sheets of the game page use the order of a phone.
import { useEffect, useState } from "preact/hooks";

// as in phone.css, landing.css and lying.css
const NARROW = "(max-width: 56rem), (max-height: 32rem) and (min-width: 34rem) and (orientation: landscape)";

export function isNarrow(): boolean {
  return matchMedia(NARROW).matches;
}

/** Whether the layout is that of a phone; for parts that must also change their order for Tab and screen readers. */
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
