// The dialog that challenges an account to a game.
import { useState } from "preact/hooks";
import type { CatalogueGame, PersonFound } from "../api.gen.ts";
import type { Side } from "../api.ts";
import { Button } from "../button.tsx";
import { firstPlayable, useCatalogue } from "../catalogue.ts";
import { Choice } from "../choice.tsx";
import { Dialog } from "../dialog.tsx";
import { usePerson } from "../identity.ts";
import { remembered } from "../landing/choice.ts";
import { USUAL, clocksOf, timeFrom } from "../landing/times.ts";
import { timeName } from "./boards.ts";
import { BoardField } from "./fields.tsx";
import { challenge } from "./inbox.ts";

interface DialogProps {
  to: PersonFound;
  onClose: () => void;
}

export function ChallengeDialog({ to, onClose }: DialogProps) {
  const offered = useCatalogue();
  const person = usePerson();
  const [picked, setPicked] = useState<CatalogueGame | null>(null);
  const [time, setTime] = useState("5+3");
  const [side, setSide] = useState("");
  const [rated, setRated] = useState(false);
  const entries = offered.entries ?? [];
  const entry = picked ?? entries.find(({ spec }) => spec === remembered("spec")) ?? firstPlayable(entries);
  const send = (event: Event) => {
    event.preventDefault();
    if (!entry) return;
    const { game, variant, boardWidth, boardHeight } = entry;
    const chosen = side === "" ? null : (Number(side) as Side);
    challenge({
      type: "challenge",
      to: to.name,
      config: { game, variant, boardWidth, boardHeight, timeControl: clocksOf(timeFrom(time)).control, rated: rated && !!person?.account },
      hostIsPlayer1: chosen === null ? null : chosen === 0,
    });
    onClose();
  };
  return (
    <Dialog title={`Challenge ${to.name}`} onClose={onClose}>
      {entry && (
        <form class="challenge-terms" onSubmit={send}>
          <BoardField offered={offered} chosen={entry} onChoose={setPicked} />
          <Choice title="Time" value={time} options={USUAL.map((value) => ({ value, name: timeName(value) }))} onChange={setTime} />
          <Choice
            title="You play"
            value={side}
            options={[{ value: "", name: "Random" }, ...entry.players.map((name, index) => ({ value: String(index), name: `${name} (${index === 0 ? "first" : "second"})` }))]}
            onChange={setSide}
          />
          {person?.account && (
            <label class="switch">
              <strong>Rated</strong>
              <input type="checkbox" role="switch" checked={rated} onChange={() => setRated(!rated)} />
            </label>
          )}
          <p class="quiet-note">
            {to.here ? "" : `${to.name} has no page of this site open now. `}The challenge waits five minutes, as long as you stay on this site.
          </p>
          <div class="row">
            <Button type="submit" class="button primary">
              Send the challenge
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
