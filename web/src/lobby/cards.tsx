// What waits for this person on every page: the wait for an opponent, challenges, and a game that has begun meanwhile.
import { useEffect, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { gamePath } from "../address.ts";
import type { ChallengeInfo } from "../api.gen.ts";
import { Button } from "../button.tsx";
import { boardWords, useCatalogue } from "../catalogue.ts";
import type { Offered } from "../catalogue.ts";
import { timeWords } from "../feeds.ts";
import { pathOf } from "../ratings/words.ts";
import { wishWords } from "./boards.ts";
import { accept, decline, dismissBegun, stopSeeking, useInbox, withdraw } from "./inbox.ts";
import type { Wait } from "./inbox.ts";

const TICK_MS = 1000;

export function Cards() {
  const { wait, begun, incoming, outgoing, at, isLost } = useInbox();
  const offered = useCatalogue(); // asked only while a card is shown
  useTicks();
  return (
    <>
      {incoming.map((one) => (
        <Card key={one.id} label={`Challenge of ${one.name}`}>
          <p>
            <Name of={one} /> challenges you: <ChallengeWords of={one} offered={offered} />
          </p>
          <div class="row">
            <Button class="button small primary" onClick={() => accept(one.id)}>
              Accept
            </Button>
            <Button class="button small" onClick={() => decline(one.id)}>
              Decline
            </Button>
            <Left ms={one.expiresIn - (performance.now() - at)} />
          </div>
        </Card>
      ))}
      {outgoing.map((one) => (
        <Card key={one.id} label={`Your challenge to ${one.name}`}>
          <p>
            <span class="spinner" /> Waiting for <Name of={one} />: <ChallengeWords of={one} offered={offered} />
          </p>
          <div class="row">
            <Button class="button small" onClick={() => withdraw(one.id)}>
              Withdraw
            </Button>
            <Left ms={one.expiresIn - (performance.now() - at)} />
          </div>
        </Card>
      ))}
      {wait && <WaitCard wait={wait} isLost={isLost} offered={offered} />}
      {begun && (
        <Card label="A game has begun">
          <p>Your game against {begun.opponent} has begun.</p>
          <div class="row">
            <a class="button small primary" href={gamePath(begun.id)} onClick={dismissBegun}>
              Open the game
            </a>
          </div>
        </Card>
      )}
    </>
  );
}

function Card({ label, look = "", children }: { label: string; look?: string; children: ComponentChildren }) {
  return (
    <section class={`inbox-card ${look}`} aria-label={label}>
      {children}
    </section>
  );
}

function WaitCard({ wait, isLost, offered }: { wait: Wait; isLost: boolean; offered: Offered }) {
  return (
    <Card label="Looking for an opponent" look="wait">
      <p>
        <span class="spinner" /> <strong>Looking for an opponent</strong>{" "}
        {/* a screen reader would read each second */}
        <span class="timer" aria-live="off">
          {clockText(performance.now() - wait.since)}
        </span>
      </p>
      <p>{wishWords(offered, wait.wish)}</p>
      <p class="quiet-note">{isLost ? "Connection lost. Reconnecting…" : othersWords(wait)}</p>
      <div class="row">
        <Button class="button small" onClick={stopSeeking}>
          Cancel
        </Button>
      </div>
    </Card>
  );
}

/** Say how many others wait, and which ratings are accepted. */
export function othersWords({ others, range }: Pick<Wait, "others" | "range">): string {
  const people = others === null ? "" : others === 0 ? "Nobody else waits for this board yet. " : others === 1 ? "1 other waits for this board. " : `${others} others wait for this board. `;
  return people + (range === null ? "Any rating." : `Ratings within ${range} of yours; 50 more every 10 seconds.`);
}

function Name({ of: { name, account, rating } }: { of: ChallengeInfo }) {
  return (
    <strong>
      {account ? <a href={pathOf(name)}>{name}</a> : name}
      {rating !== null && ` (${rating})`}
    </strong>
  );
}

function ChallengeWords({ of: one, offered }: { of: ChallengeInfo; offered: Offered }) {
  const sides = offered.entries?.find((entry) => entry.game === one.game)?.players ?? ["first", "second"];
  const side = one.you === null ? "lots decide who begins" : `you play ${one.you === 0 ? sides[0] : sides[1]}`;
  return (
    <>
      {boardWords(offered, one)}, {timeWords(one.timeControl)}
      {one.rated && ", rated"}
      {one.withEvaluation && ", with evaluation"}
      {!one.usual && ", from another position"}; {side}.
    </>
  );
}

function Left({ ms }: { ms: number }) {
  return (
    <span class="quiet-note" aria-live="off">
      {clockText(Math.max(0, ms))} left
    </span>
  );
}

/** Return a duration in minutes and seconds: `1:05`. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Draw the component again every second. */
function useTicks(): void {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((old) => old + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);
}
