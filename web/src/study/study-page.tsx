// An analysis board: any game, from its start or from a position of a game, both sides played by one person.
import { useEffect, useMemo, useState } from "preact/hooks";
import type { StudyView } from "../api.gen.ts";
import { study } from "../api.ts";
import { useKeys } from "../game/steps.tsx";
import { StudyBoard } from "./study-board.tsx";
import { useStudy } from "./use-study.ts";
import type { Root } from "./use-study.ts";

interface HereProps {
  spec: string;
  moves: { text: string; ply: number }[];
  /** The ply on the board. */
  ply: number;
}

/** A link to the analysis board at the shown position. */
export function StudyHere({ spec, moves, ply }: HereProps) {
  const before = moves.filter((move) => move.ply <= ply).map((move) => move.text);
  return (
    <p class="around">
      <a class="button quiet" href={studyAddress(spec, before)}>
        Try other moves from here
      </a>
    </p>
  );
}

export function studyAddress(spec: string, moves: string[]): string {
  return `/study?${new URLSearchParams({ spec })}#${encodeURIComponent(moves.join(" "))}`;
}

export function StudyPage({ onNotice }: { onNotice: (sentence: string) => void }) {
  const root = useMemo(rootFromAddress, [location.href]);
  const [first, setFirst] = useState<StudyView | null>(null);
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    document.title = "Analysis – Ludus";
    setFirst(null);
    study({ spec: root.spec, setup: root.setup, moves: root.before, actions: [] }).then(setFirst, (error: Error) => setTrouble(error.message));
  }, [root]);
  if (trouble) {
    return (
      <main class="middle">
        <h1>This position cannot be set up</h1>
        <p>{trouble}</p>
        <a class="button primary" href="/">
          Choose a game
        </a>
      </main>
    );
  }
  return first ? <Analysis root={root} first={first} onNotice={onNotice} /> : <main class="middle" />;
}

interface AnalysisProps {
  root: Root;
  first: StudyView;
  onNotice: (sentence: string) => void;
}

function Analysis({ root, first, onNotice }: AnalysisProps) {
  const line = useStudy(root, first, onNotice);
  useKeys((by) => {
    const to = { start: 0, back: line.at - 1, forward: line.at + 1, end: line.line.length }[by];
    line.go(to);
  });
  return (
    <main class="page analysis">
      <h1>Analysis</h1>
      <p class="lead">Both sides are yours. The arrow keys go back and forth.</p>
      <section class="panel">
        <StudyBoard study={line} label="A board to try moves on" />
        <ol class="line" aria-label="Moves">
          {line.view.moves.map((move, index) => (
            <li key={index} class={move.ply > first.ply ? "tried" : ""}>
              {move.text}
            </li>
          ))}
        </ol>
      </section>
    </main>
  );
}

/** `?spec=chess&setup=FEN#e4 e5`: the game, perhaps a position to begin with, and moves. */
function rootFromAddress(): Root {
  const query = new URLSearchParams(location.search);
  const before = decodeURIComponent(location.hash.slice(1)).split(" ").filter(Boolean);
  return { spec: query.get("spec") ?? "", setup: setupFrom(query.get("setup")), before };
}

/** A position is a text such as a FEN, or JSON. */
function setupFrom(text: string | null): Root["setup"] {
  if (!text?.startsWith("{")) return text;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return text; // the site says what is wrong with it
  }
}
