// What can be done with a finished game: a link that carries it whole, its text, and a board to try other moves on.
import { Icon } from "../icons.tsx";
import { shareLink, textAddress } from "../people.ts";
import { CopyLink } from "../game/share.tsx";

interface KeepsakesProps {
  id: string;
  onNotice: (sentence: string) => void;
}

export function Keepsakes({ id, onNotice }: KeepsakesProps) {
  return (
    <div class="keepsakes">
      <ToKeep id={id} onNotice={onNotice} />
      <a class="button quiet" href={`/replay/${encodeURIComponent(id)}`}>
        <Icon name="play" /> Replay
      </a>
    </div>
  );
}

/** The game itself: as a link, and as a file. */
export function ToKeep({ id, onNotice }: KeepsakesProps) {
  return (
    <>
      <CopyLink
        link={() => shareLink(id)}
        text="Share"
        title="A link that carries the whole game: it works for ever"
        onNotice={onNotice}
      />
      <a class="button quiet" href={textAddress(id)} download>
        <Icon name="save" /> Download
      </a>
    </>
  );
}
