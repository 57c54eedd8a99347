// The position editor: places pieces and walls by click or drag, sets the side to move, reads positions as text.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Kit } from "../api.gen.ts";
import { sidesOf } from "../board/colours.ts";
import { frame } from "../board/geometry.ts";
import { PlayBoard } from "../board/play.tsx";
import { Button } from "../button.tsx";
import { Segments } from "../landing/segments.tsx";
import { usePrefs } from "../prefs.ts";
import { actsOf, after, cleared, drawn } from "./arrangement.ts";
import type { Tool } from "./arrangement.ts";
import { GameField, PositionField } from "./fields.tsx";
import { asText } from "./positions.ts";
import { Tools } from "./tools.tsx";
import { useArrangement } from "./use-arrangement.ts";
import type { ReadGame } from "./use-arrangement.ts";
import type { Root } from "./use-study.ts";

interface ArrangingProps {
  /** The initial position: a line from its root. */
  root: Root;
  actions: number[];
  /** Called with the finished position. */
  onSetUp: (root: Root) => void;
  /** Called with a recorded game that was loaded instead. */
  onGame: (game: ReadGame) => void;
  onCancel: () => void;
}

export function Arranging({ root, actions, onSetUp, onGame, onCancel }: ArrangingProps) {
  const { made, view, fresh, awaited, fault, change, begin, read } = useArrangement({ ...root, actions }, onGame);
  const { coordinates } = usePrefs();
  const [tool, setTool] = useState<Tool | null>(null);
  const asked = useRef(false); // "Analyse" was pressed while the site still checks the position
  const done = () => made && onSetUp({ spec: made.spec, setup: view ? view.setup : made.setup, before: [] });
  const possible = !!view || !made?.kit.kinds.length;
  useEffect(() => {
    if (fresh && asked.current && possible && !fault) done();
    if (fresh) asked.current = false;
  }, [fresh]);
  if (!made) return <main class="middle">{fault && <Impossible fault={fault} onCancel={onCancel} />}</main>;
  const { kit, spec } = made;
  const held = tool ?? usual(kit);
  const box = frame(kit.board, coordinates, true);
  return (
    <main class={`analysis arranging without-bar ${kit.board.style}`} style={{ ...sidesOf(kit.board), "--aspect": box.width / box.height }}>
      <h1 class="visually-hidden">Set up a position</h1>
      <section class="board-area" aria-label="Board">
        <ArrangingBoard made={made} tool={held} locked={awaited !== null} change={change} />
        <p class={fault && "fault"} role="status">
          {fault || (view ? (view.result ? `Game over: ${view.ending}.` : `${view.players[view.toPlay === 1 ? 1 : 0]} to move.`) : "")}
        </p>
      </section>
      {kit.kinds.length > 0 && (
        <section class="panel tools" aria-label="Pieces">
          <Tools kit={kit} tool={held} onTool={setTool} />
          <div class="row">
            <button type="button" class="button small" onClick={() => change(cleared(kit, made))}>
              Clear the board
            </button>
            <button type="button" class="button small" onClick={() => begin(spec, null)}>
              Use the usual start
            </button>
          </div>
        </section>
      )}
      <section class="panel stack details" aria-label="Position">
        <GameField
          spec={awaited ?? spec}
          onSpec={(to) => {
            setTool(null);
            begin(to, null);
          }}
        />
        {kit.kinds.length === 0 && <p class="quiet-note">Positions of this game cannot be set up. Play moves to reach them.</p>}
        {kit.movers.length > 0 && (
          <Segments
            legend="To move"
            options={kit.movers.map(({ value, name }) => ({ value, name, chip: value === "1" ? 1 : 0 }))}
            value={String(made.toPlay)}
            onChange={(value) => change({ toPlay: value === "1" ? 1 : 0 })}
          />
        )}
        {kit.switches.length > 0 && (
          <fieldset class="checks-of">
            {kit.switches.map(({ value, name }) => (
              <label key={value}>
                <input
                  type="checkbox"
                  checked={made.on.includes(value)}
                  onChange={() => change({ on: made.on.includes(value) ? made.on.filter((one) => one !== value) : [...made.on, value] })}
                />
                {name}
              </label>
            ))}
          </fieldset>
        )}
        {kit.kinds.length > 0 && <PositionField text={view ? asText(view.setup) : ""} onRead={read} />}
        <div class="row">
          <Button
            class="button primary"
            disabled={fresh && !possible}
            onClick={() => {
              if (fresh) done();
              else asked.current = true;
            }}
          >
            Analyse this position
          </Button>
          <button type="button" class="button" onClick={onCancel}>
            Cancel
          </button>
        </div>
      </section>
    </main>
  );
}

/** Shown if the initial position cannot be opened. */
function Impossible({ fault, onCancel }: { fault: string; onCancel: () => void }) {
  return (
    <>
      <p class="fault" role="status">
        {fault}
      </p>
      <button type="button" class="button" onClick={onCancel}>
        Cancel
      </button>
    </>
  );
}

/** Return the initial tool: putting stones in games with stones, otherwise moving pieces. */
function usual({ kinds, board }: Kit): Tool {
  const [first] = kinds;
  return first && board.style === "points" ? { does: "put", kind: first } : { does: "move" };
}

interface BoardProps {
  made: NonNullable<ReturnType<typeof useArrangement>["made"]>;
  tool: Tool;
  /** Whether another position is being fetched. */
  locked: boolean;
  change: ReturnType<typeof useArrangement>["change"];
}

function ArrangingBoard({ made, tool, locked, change }: BoardProps) {
  const { coordinates } = usePrefs();
  const { kit } = made;
  const acts = useMemo(() => actsOf(kit, made, tool), [made, tool]);
  const board = useMemo(() => drawn(kit, { pieces: made.pieces, edges: made.edges }, acts), [made, acts]);
  const owner = tool.does === "put" ? tool.kind.owner : null;
  return (
    <PlayBoard
      board={board}
      mode={kit.kinds.length && !locked ? "arrange" : "look"}
      owner={owner ?? 0}
      you={null}
      place={0}
      label="Position editor"
      labels={coordinates}
      shape={tool.does === "put" ? tool.kind.shape : tool.does === "move" ? undefined : null}
      onAct={(action) => {
        const act = acts[action];
        if (act) change(after(kit, made, tool, act));
      }}
    />
  );
}
