// The button that challenges an account, and whether this person is here; the dialog is loaded when it is first opened.
import { useState } from "preact/hooks";
import type { PersonFound } from "../api.gen.ts";
import { Button } from "../button.tsx";
import { usePerson } from "../identity.ts";
import { Lazily } from "../lazily.tsx";
import type { OnNotice } from "../notice.ts";

interface ChallengeProps {
  person: PersonFound;
  onNotice: OnNotice;
}

/** Say why this visitor cannot challenge an account; empty if it can. */
export function whyNot({ name, challenges }: PersonFound, me: { name: string; account: boolean } | null): string {
  if (!me || me.name === name) return "yourself";
  if (challenges === "nobody") return `${name} accepts no challenges at present.`;
  return challenges === "accounts" && !me.account ? `${name} accepts challenges of accounts only.` : "";
}

export function ChallengeButton({ person, onNotice }: ChallengeProps) {
  const me = usePerson();
  const [isOpen, setOpen] = useState(false);
  const why = whyNot(person, me);
  if (!me || me.name === person.name) return null;
  return (
    <div class="row challenge">
      {why ? (
        <p class="quiet-note">{why}</p>
      ) : (
        <>
          <Button class="button primary" aria-haspopup="dialog" onClick={() => setOpen(true)}>
            Challenge
          </Button>
          <p class="quiet-note">{person.here ? `${person.name} is here.` : `${person.name} is not here now.`}</p>
        </>
      )}
      {isOpen && (
        <Lazily load={() => import("./challenge-dialog.tsx")} onNotice={onNotice} onFail={() => setOpen(false)}>
          {({ ChallengeDialog }) => <ChallengeDialog to={person} onClose={() => setOpen(false)} />}
        </Lazily>
      )}
    </div>
  );
}
