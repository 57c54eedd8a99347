// The panel of the settings with the people whom this person has blocked.
import { unblock, useBlocked } from "../blocked.ts";
import { Button } from "../button.tsx";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";

export function BlockedPeople({ onNotice }: { onNotice: OnNotice }) {
  const people = useBlocked();
  if (people.length === 0) return null;
  const free = async (key: string, name: string) => {
    try {
      await unblock(key);
      onNotice(`${name} is no longer blocked.`);
    } catch (error) {
      onNotice(asError(error));
    }
  };
  return (
    <section class="panel">
      <h2>Blocked people</h2>
      <p class="quiet-note">They get no games with you, and you do not see what they write in chats.</p>
      <ul class="tokens" aria-label="Blocked people">
        {people.map(({ key, name }) => (
          <li key={key}>
            <strong>{name}</strong>
            <Button class="button quiet small" aria-label={`Unblock ${name}`} onClick={() => free(key, name)}>
              Unblock
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
