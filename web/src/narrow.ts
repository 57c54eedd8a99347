// Whether everything stands below one another, as the style sheets have it on a narrow window.
import { useEffect, useState } from "preact/hooks";

const NARROW = "(max-width: 56rem)"; // as in phone.css and landing.css

export function isNarrow(): boolean {
  return matchMedia(NARROW).matches;
}

/** For parts whose order differs: the Tab key and screen readers go through a page as it is written. */
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
