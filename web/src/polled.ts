// Periodic requests: one at once, then more while the page is visible.

/** Call `ask` every `everyMs` and when the page becomes visible; answers that arrive out of order are dropped. Returns a function that stops it. */
export function poll<Answer>(ask: () => Promise<Answer>, everyMs: number, take: (answer: Answer) => void, fail: (error: Error) => void): () => void {
  let asked = 0;
  let taken = 0;
  const load = () => {
    const number = ++asked;
    const inOrder =
      <Value,>(call: (value: Value) => void) =>
      (value: Value) => {
        if (number <= taken) return;
        taken = number;
        call(value);
      };
    ask().then(inOrder(take), inOrder(fail));
  };
  const onSeen = () => document.visibilityState === "visible" && load();
  load();
  const timer = setInterval(onSeen, everyMs);
  document.addEventListener("visibilitychange", onSeen);
  return () => {
    taken = Infinity;
    clearInterval(timer);
    document.removeEventListener("visibilitychange", onSeen);
  };
}
