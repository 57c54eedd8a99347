// The Training page: the progress of the run that this site grows, its charts, generations and sample games.
import { useEffect, useState } from "preact/hooks";
import type { TrainedGeneration, Training, TrainingRun } from "../api.gen.ts";
import { useGone } from "../answer.ts";
import { keepSeat, pauseTraining, playBot, resumeTraining, training } from "../api.ts";
import { Button } from "../button.tsx";
import { useCatalogue } from "../catalogue.ts";
import { Icon } from "../icons.tsx";
import { nameOfPerson } from "../identity.ts";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";
import { poll } from "../polled.ts";
import { Refused } from "../refused.tsx";
import { Chart } from "./chart.tsx";
import { Generations } from "./generations.tsx";
import { Samples } from "./sample.tsx";
import { playingWords, stateWords } from "./words.ts";

const REFRESH_MS = 2000;
const SIDES: [string, string] = ["First", "Second"];

interface TrainingProps {
  onNotice: OnNotice;
  onOpen: (id: string) => void;
}

export function TrainingPage({ onNotice, onOpen }: TrainingProps) {
  const [found, setFound] = useState<Training | null>(null);
  const [trouble, setTrouble] = useState("");
  const [shown, setShown] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const { entries } = useCatalogue();
  const gone = useGone();
  useEffect(() => {
    document.title = "Training – Ludus";
    const take = (now: Training) => {
      setTrouble("");
      setFound(now);
    };
    return poll(training, REFRESH_MS, take, (error) => setTrouble(error.message));
  }, []);
  if (!found) return <main class="middle">{trouble && <p class="line-lost">{trouble}</p>}</main>;
  const { run } = found;
  if (!run) return <Refused heading="Nothing is trained here" trouble="This site grows no training run." href="/" instead="Choose a game" />;

  const entry = entries?.find((one) => one.bots.some(({ id }) => id === run.level));
  const act = async (action: () => Promise<void>) => {
    setBusy(true);
    try {
      await action();
    } catch (error) {
      onNotice(asError(error));
    }
    if (!gone.current) setBusy(false);
  };
  const play = (generation: TrainedGeneration) =>
    act(async () => {
      if (!entry) return;
      const seat = await playBot({ game: entry, botId: generation.bot, name: await nameOfPerson() });
      keepSeat(seat);
      if (!gone.current) onOpen(seat.id);
    });
  const control = (change: () => Promise<Training>) => act(async () => setFound(await change()));
  const newest = run.generations.at(-1);
  return (
    <main class="page training">
      <h1>Training: {run.title}</h1>
      {trouble && (
        <p class="line-lost" role="status">
          {trouble}
        </p>
      )}
      <section class="panel stack" aria-label="State">
        <p>{stateWords(run)}</p>
        {run.state === "training" && run.total > 0 && <progress value={run.done} max={run.total} aria-label={`Progress of ${run.stage}`} />}
        <p class="quiet-note">{playingWords(run.playing)}</p>
        <div class="row">
          {entry && (
            <a class="button primary" href={`/?game=${encodeURIComponent(entry.game)}`}>
              <Icon name="play" /> Play {run.title}
            </a>
          )}
          {found.mayControl && <Control run={run} busy={busy} onPause={() => control(pauseTraining)} onResume={() => control(resumeTraining)} />}
        </div>
        {newest?.alarms.map((alarm) => (
          <p key={alarm} class="line-lost">
            {alarm}
          </p>
        ))}
      </section>
      {newest && <Charts run={run} />}
      {newest && <Generations generations={run.generations} shown={shown} playable={!busy && !!entry} onPlay={play} onShow={setShown} />}
      {shown !== null && <Samples key={shown} generation={shown} players={entry?.players ?? SIDES} />}
    </main>
  );
}

function Control({ run, busy, onPause, onResume }: { run: TrainingRun; busy: boolean; onPause: () => void; onResume: () => void }) {
  const runs = run.state === "training" || run.state === "starting";
  return (
    <Button class="button" disabled={busy} onClick={runs ? onPause : onResume}>
      <Icon name={runs ? "pause" : "play"} /> {runs ? "Pause training" : "Go on"}
    </Button>
  );
}

function Charts({ run }: { run: TrainingRun }) {
  const over = (figure: (one: TrainedGeneration) => number) => run.generations.map((one) => ({ x: one.generation, y: figure(one) }));
  const rated = run.generations.flatMap(({ generation, elo, eloError }) => (elo === null ? [] : [{ x: generation, y: elo, error: eloError ?? 0 }]));
  return (
    <section class="panel charts" aria-label="Charts">
      <Chart title="Elo, with 95 % intervals" lines={[{ name: "Elo", points: rated }]} />
      <Chart
        title="Losses"
        lines={[
          { name: "policy", points: over((one) => one.policyLoss) },
          { name: "outcome", points: over((one) => one.outcomeLoss) },
        ]}
      />
      <p class="quiet-note">Elo 0 is {run.opponent}.</p>
    </section>
  );
}
