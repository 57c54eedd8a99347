// The display of the tree of variations: clickable moves with their signs and comments, and alternatives below them.
import { useRef } from "preact/hooks";
import { Verdict } from "../game/moves.tsx";
import type { Mark } from "../game/judgement.ts";
import { useInView } from "../in-view.ts";
import { written } from "./tree.ts";
import type { Tree, Written } from "./tree.ts";

interface VariationsProps {
  tree: Tree;
  at: number;
  judged: Map<number, Mark>;
  onGo: (place: number) => void;
}

export function Variations({ tree, at, judged, onGo }: VariationsProps) {
  const box = useRef<HTMLDivElement>(null);
  useInView(box, [at, tree]);
  const roots = tree[0]?.children ?? [];
  const [main, ...others] = roots;
  const opening = <Comment text={tree[0]?.comment} />;
  if (main === undefined && tree[0]?.comment) return <div class="variations">{opening}</div>;
  if (main === undefined) return <p class="no-moves">Make a move on the board. A different move from the same position starts a variation.</p>;
  const line = written(tree, main);
  const [first] = line;
  if (first) first.others = [...others.map((other) => written(tree, other)), ...first.others];
  return (
    <div class="variations" ref={box} role="group" aria-label="Variations">
      {opening}
      <Line line={line} at={at} judged={judged} onGo={onGo} />
    </div>
  );
}

function Line({ line, at, judged, onGo }: { line: Written[] } & Omit<VariationsProps, "tree">) {
  let broken = true; // whether the next move needs a number: at the start and after a bracket
  return (
    <>
      {line.map(({ place, twig, number, others }, index) => {
        const label = twig.player === 0 ? `${number}.` : broken ? `${number}…` : "";
        broken = others.length > 0 || !!twig.comment;
        return (
          <span key={index}>
            {place >= 0 && <Comment text={twig.before} />}
            {place >= 0 && (
              <span class="numbered">
                {label && <span class="number">{label}</span>}
                <button type="button" class="move" aria-current={place === at ? "true" : undefined} onClick={() => onGo(place)}>
                  {twig.text}
                  {twig.signs}
                  <Verdict judgement={judged.get(place)} />
                </button>
              </span>
            )}
            {place >= 0 && <Comment text={twig.comment} />}
            {others.map((other) => (
              <span class="variation" key={other[0]?.place}>
                <Line line={other} at={at} judged={judged} onGo={onGo} />
              </span>
            ))}
          </span>
        );
      })}
    </>
  );
}

function Comment({ text }: { text: string | undefined }) {
  return text ? <span class="comment">{text}</span> : null;
}
