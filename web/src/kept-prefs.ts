// What an account prefers, kept with it: taken over where it logs in, and written there when it changes.
import type { Me } from "./api.gen.ts";
import { onPerson } from "./identity.ts";
import { keepSettings } from "./people.ts";
import { merged, onPrefer, prefer, prefs } from "./prefs.ts";

const PAUSE_MS = 500;

export function keepPrefs(): void {
  let account = false;
  let kept = "";
  let sent: Promise<unknown> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  onPerson((person: Me) => {
    clearTimeout(timer);
    account = person.account;
    if (!account || !Object.keys(person.settings).length) return;
    const found = merged({ ...prefs(), ...person.settings });
    kept = JSON.stringify(found);
    prefer(found);
  });
  onPrefer((now) => {
    clearTimeout(timer);
    const text = JSON.stringify(now);
    if (!account || text === kept) return;
    timer = setTimeout(() => {
      kept = text;
      // one after the other, so that the last one stays; the browser has them, and after a failure the next change is tried again
      sent = sent.then(() => keepSettings({ ...now })).catch(() => (kept = ""));
    }, PAUSE_MS);
  });
}
