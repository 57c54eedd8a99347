// The replay page of a finished game, from the site's archive or from a link that contains the game.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { plyFromAddress, useAddress } from "../address.ts";
import { isForGood, useAnswer } from "../answer.ts";
import type { Board, GameState, PlyView, Replay, ReplayPlayer, WishReview } from "../api.gen.ts";
import { SiteError, evaluateLine } from "../api.ts";
import { evaluateHere } from "../device/line.ts";
import { useManifest, useWhere } from "../device/use-where.ts";
import { Clock } from "../game/clock.tsx";
import { QUIET } from "../game/quiet.ts";
import { Table } from "../game/table.tsx";
import { bestAt, byPly, leadsByPly, useEvaluation } from "../game/use-evaluation.ts";
import { useOwnEvaluation } from "../game/use-own-evaluation.ts";
import { usePast } from "../game/use-past.ts";
import { changeWords } from "../game/use-ratings.ts";
import { controlWords, playerOf } from "../game/words.ts";
import { Icon } from "../icons.tsx";
import type { OnNotice } from "../notice.ts";
import { replay, replayPosition, shared, sharedPosition } from "../people.ts";
import { usePrefs } from "../prefs.ts";
import { Nothing } from "../refused.tsx";
import { Accuracy, Insight } from "../review/insight.tsx";
import { Learn } from "../review/learn.tsx";
import { ReviewProgress } from "../review/panel.tsx";
import { useLine } from "../review/use-line.ts";
import { useOwnReview } from "../review/use-own-review.ts";
import { useReview } from "../review/use-review.ts";
import { useReviewed, useValuesSoFar } from "../review/use-reviewed.ts";
import { sharedAddress } from "../study/addresses.ts";
import { StudyHere } from "../study/study-here.tsx";
import { marked, planted } from "../study/tree.ts";
import { Variations } from "../study/variations.tsx";
import { clockAt, clocksAfter } from "./clocks.ts";
import { SharedToKeep, ToKeep } from "./keepsakes.tsx";
import { useOwnership } from "./use-ownership.ts";
import { useWalk } from "./use-walk.ts";
import { sidesOf } from "../board/colours.ts";

interface Source {
  /** The game's id in the archive; null for a game from a shared link. */
  id: string | null;
  key: string;
  /** The request for the game's review. */
  wish: WishReview;
  fetch: () => Promise<Replay>;
  position: (ply: number) => Promise<PlyView>;
}

interface Noticing {
  onNotice: OnNotice;
}

/** The page of an archived game; `refusal` is the reason shown if the game is neither running nor archived. */
export function ReplayPage({ id, refusal = "", onNotice }: { id: string; refusal?: string } & Noticing) {
  const source = useMemo<Source>(
    () => ({ id, key: id, wish: { game: id }, fetch: () => replay(id), position: (ply) => replayPosition(id, ply) }),
    [id],
  );
  return <Replayed source={source} refusal={refusal} onNotice={onNotice} />;
}

export function SharedPage({ onNotice, onPath }: Noticing & { onPath: (path: string) => void }) {
  const [link] = useState(location.hash.slice(1));
  const source = useMemo<Source>(
    () => ({ id: null, key: link, wish: { link }, fetch: () => shared(link), position: (ply) => sharedPosition(link, ply) }),
    [link],
  );
  return <Replayed source={source} refusal="" onNotice={onNotice} onPath={onPath} />;
}

/** Where to go from a variation, which only a shared game can have. */
interface Leaving {
  onPath?: (path: string) => void;
}

function Replayed({ source, refusal, onNotice, ...leaving }: { source: Source; refusal: string } & Noticing & Leaving) {
  const open = async () => {
    const answer = await source.fetch();
    // fetch the last position too, for the game's state; the first one shown is the start or the ply in the address
    const [end, begin] = await Promise.all([source.position(answer.plies), source.position(Math.min(answer.plies, plyFromAddress() ?? 0))]);
    return { replay: answer, end: end.board, begin };
  };
  const { found, error, again } = useAnswer(open, [source]);
  if (error) {
    const why = refusal && isForGood(error) ? new SiteError(refusal, 404) : error;
    return <Nothing heading="This game cannot be opened" error={why} onAgain={again} href="/" instead="Choose a game" />;
  }
  if (!found) return <main class="middle" />;
  return <Walk {...found} source={source} onNotice={onNotice} {...leaving} />;
}

function Walk({ replay: found, end, begin, source, onNotice, onPath }: { replay: Replay; end: Board; begin: PlyView; source: Source } & Noticing & Leaving) {
  const state = useMemo(() => stateOf(found, end), [found, end]);
  const past = usePast(source.key, state, source.position, onNotice, plyFromAddress() ?? 0, begin);
  const tree = useMemo(() => planted(found.tree), [found]);
  const prefs = usePrefs();
  const [begins] = useState(() => new URLSearchParams(location.search).has("review"));
  const reviewing = useReview(found.review, source.wish, onNotice);
  const own = useOwnReview(found, onNotice);
  const manifest = useManifest({ spec: found.game.spec, setup: found.setup }, true);
  const where = useWhere(manifest);
  const site = reviewing.state?.state;
  const isAtSite = site === "waiting" || site === "running";
  const review = useReviewed(state, reviewing.review ?? (isAtSite || where.by === "site" ? null : own.review));
  const soFar = useValuesSoFar(state, own.state?.state === "running" ? own.state : reviewing.state);
  const evaluates = prefs.evaluation && !review && own.state?.state !== "running";
  const atSite = useEvaluation(source.id, state, evaluates && where.by === "site");
  const here = useOwnEvaluation(state, past?.ply ?? 0, evaluates && where.by === "device");
  const evaluating = where.by === "device" ? here : atSite;
  const begun = useRef(!begins);
  useEffect(() => {
    if (begun.current || site === undefined || where.by === null) return;
    begun.current = true;
    if (site === "none") (where.by === "device" ? own : reviewing).begin();
  }, [site, where.by]);
  const lined = useLine(found, past, onNotice);
  const [learning, setLearning] = useState<number[] | null>(null);
  const forecast = useOwnership(found, past?.ply ?? 0, evaluates && where.by === "site");
  const walk = useWalk(state, lined?.past ?? null);
  useEffect(() => {
    document.title = `${state.players[0].name} – ${state.players[1].name}, ${state.title} – Ludus`;
  }, [state]);
  const [path] = useState(location.pathname);
  useAddress(source.id && past ? `${path}?ply=${past.ply}` : null);
  if (!past || !lined) return null;
  if (review && learning) {
    return (
      <div class={`game ${end.style}`} style={sidesOf(end)}>
        <Learn game={found} state={state} reviewed={review} mistakes={learning} evaluate={where.by === "device" ? evaluateHere : evaluateLine} onClose={() => setLearning(null)} onNotice={onNotice} />
      </div>
    );
  }
  const { line } = lined;
  const at = review?.positionAt(past.ply);
  const ownership = review ? at?.ownership : forecast;
  const board = marked(lined.past.position.board, past.arrived && !line ? tree[past.ply]?.marks : []);
  const shown = { ...lined.past, position: { ...lined.past.position, board } };
  const clock = clockAt(found.game, state.moves, past.ply);
  // places on the main line are plies; the analysis page shows the others
  const onGo = (place: number) => (place <= found.plies ? lined.past.go(place) : onPath?.(sharedAddress(source.key, place)));
  const canEvaluate = !review && (source.id !== null || where.by === "device" || state.evaluations.some((value) => value !== null));
  return (
    <div class={`game ${end.style}`} style={sidesOf(end)}>
      <Table
        state={state}
        past={shown}
        canEvaluate={canEvaluate}
        time={found.game.clock ? controlWords(...found.game.clock) : ""}
        evaluations={review?.values ?? soFar ?? (canEvaluate && prefs.evaluation ? byPly(state, evaluating) : null)}
        {...(line ? {} : review ? { bestMove: at?.bestMove ?? "", winsIn: at?.lines[0]?.winsIn ?? 0 } : bestAt(state, evaluating, past.ply))}
        leads={review ? review.leads : leadsByPly(state, evaluating)}
        reviewed={
          review && {
            marks: review.marks,
            errors: review.errors,
            insight: <Insight state={state} reviewed={review} ply={past.ply} lined={lined} />,
            summary: <Accuracy state={state} reviewed={review} onLearn={setLearning} />,
          }
        }
        evaluationWords={evaluating.words}
        {...(ownership?.length && !line ? { ownership } : {})}
        aside={(player) => (
          <>
            <span class="quiet-note">{ratingWords(found.game.players[player === 1 ? 1 : 0])}</span>
            {clock && <Clock clock={clock} player={player} since={0} own={false} name={playerOf(state, player).name} />}
          </>
        )}
        {...(tree.length ? { variations: <Variations tree={tree} at={past.ply} judged={review?.marks ?? new Map()} onGo={onGo} /> } : {})}
        actions={
          <div class="actions">
            <ReviewProgress reviewing={reviewing} own={own} where={where} evaluates={evaluates} />
            <div class="keepsakes">
              <button type="button" class="button quiet" onClick={walk.toggle}>
                <Icon name={walk.running ? "pause" : "play"} /> {walk.running ? "Pause" : "Play through"}
              </button>
              <StudyHere link={tree.length ? source.key : null} spec={found.game.spec} setup={found.setup} moves={found.moves} ply={past.ply} />
              {source.id ? <ToKeep id={source.id} onNotice={onNotice} /> : <SharedToKeep link={source.key} onNotice={onNotice} />}
            </div>
          </div>
        }
      />
    </div>
  );
}

/** Return a player's rating, and how the game changed it. */
function ratingWords({ rating, ratingAfter }: ReplayPlayer): string {
  if (rating === null) return "";
  return ratingAfter === null ? String(rating) : changeWords({ before: rating, after: ratingAfter });
}

/** Convert a replay to the state that the table displays. */
function stateOf({ game, moves, plies, evaluations, sides, terms, setup }: Replay, board: Board): GameState {
  const player = (who: 0 | 1) => ({
    name: game.players[who].name,
    kind: game.players[who].kind === "bot" ? ("bot" as const) : ("person" as const),
    connected: true,
    strength: "",
    strengthSource: "",
    appearance: {},
    key: "",
  });
  return {
    ...QUIET,
    id: game.id ?? "",
    spec: game.spec,
    game: game.game,
    variant: game.variant,
    title: game.title,
    kind: "friend",
    rated: game.rated,
    players: [player(0), player(1)],
    you: null,
    toPlay: 0,
    ply: plies,
    board,
    moves: moves.map((move) => ({ text: move.text, player: move.player, ply: move.ply, clocks: clocksAfter(move) })),
    evaluations,
    status: "over",
    result: { winner: game.winner, reason: game.reason },
    ending: game.ending,
    sides,
    terms,
    setup,
  };
}
