// The place of what waits for this person, over every page; the cards are loaded when there is something to show.
import { Lazily } from "../lazily.tsx";
import type { OnNotice } from "../notice.ts";
import { useInbox } from "./inbox.ts";

export function InboxCards({ onNotice }: { onNotice: OnNotice }) {
  const { wait, begun, incoming, outgoing } = useInbox();
  const isEmpty = !wait && !begun && !incoming.length && !outgoing.length;
  return (
    <div class="inbox" aria-live="polite">
      {!isEmpty && (
        <Lazily load={() => import("./cards.tsx")} onNotice={onNotice} onFail={() => {}}>
          {({ Cards }) => <Cards />}
        </Lazily>
      )}
    </div>
  );
}
