// Buttons for a finished game: copy a link that contains it, download it as text, replay it.
import { Icon } from "../icons.tsx";
import type { OnNotice } from "../notice.ts";
import { shareLink, sharedText, textAddress } from "../people.ts";
import { CopyLink } from "../game/share.tsx";
import { SaveButton } from "../save.tsx";

interface KeepsakesProps {
  id: string;
  onNotice: OnNotice;
}

export function Keepsakes({ id, onNotice }: KeepsakesProps) {
  return (
    <div class="keepsakes">
      <a class="button primary" href={`/replay/${encodeURIComponent(id)}?review`}>
        <Icon name="chart" /> Review this game
      </a>
      <ToKeep id={id} onNotice={onNotice} />
      <a class="button quiet" href={`/replay/${encodeURIComponent(id)}`}>
        <Icon name="play" /> Replay
      </a>
    </div>
  );
}

/** The buttons to share a game as a link and download it as a file. */
export function ToKeep({ id, onNotice }: KeepsakesProps) {
  return (
    <>
      <CopyLink
        link={() => shareLink(id)}
        text="Share"
        title="Copy a link that contains the whole game and never expires"
        onNotice={onNotice}
      />
      <a class="button quiet" href={textAddress(id)} download>
        <Icon name="save" /> Download
      </a>
    </>
  );
}

interface SharedProps {
  link: string;
  onNotice: OnNotice;
}

/** The download button of a game from a shared link, which has no address on the site. */
export function SharedToKeep({ link, onNotice }: SharedProps) {
  return <SaveButton file={() => sharedText(link)} onNotice={onNotice} />;
}
