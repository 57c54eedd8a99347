// The comment and the sign of the move on the board, which people can write.
import type { Study } from "./use-study.ts";
import { GLYPHS, commented, signed } from "./tree.ts";

const MEANINGS: Record<number, string> = { 3: "Brilliant move", 1: "Good move", 5: "Interesting move", 6: "Dubious move", 2: "Mistake", 4: "Blunder" };
const MOST = 4000; // characters

export function Notes({ study }: { study: Study }) {
  const { tree, at } = study;
  const twig = tree[at];
  if (!twig) return null;
  const about = at ? `Comment on ${twig.text}` : "Comment on the first position";
  return (
    <div class="notes">
      {at > 0 && (
        <div class="glyphs" role="group" aria-label={`Sign of ${twig.text}`}>
          {[3, 1, 5, 6, 2, 4].map((nag) => {
            const pressed = !!twig.nags?.includes(nag);
            return (
              <button key={nag} type="button" class="button small" aria-pressed={pressed} aria-label={MEANINGS[nag]} title={MEANINGS[nag]} onClick={() => study.annotate((old, place) => signed(old, place, pressed ? 0 : nag))}>
                {GLYPHS[nag]}
              </button>
            );
          })}
        </div>
      )}
      <textarea
        id="comment"
        rows={2}
        maxLength={MOST}
        aria-label={about}
        placeholder={about}
        value={twig.comment ?? ""}
        onInput={(event: Event) => {
          const { value } = event.target as HTMLTextAreaElement;
          study.annotate((old, place) => commented(old, place, value));
        }}
        onKeyDown={(event: KeyboardEvent) => event.key === "Escape" && (event.target as HTMLElement).blur()}
      />
    </div>
  );
}
