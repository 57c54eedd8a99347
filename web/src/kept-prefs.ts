// Synchronizes the settings with the account: loads them at login and saves every change.
import type { Me } from "./api.gen.ts";
import { onPerson } from "./identity.ts";
import { keepSettings } from "./people.ts";
import { merged, onPrefer, prefer, prefs } from "./prefs.ts";

const PAUSE_MS = 500;

export function keepPrefs(): void {
  let account = false;
  let kept = "";
  let asked = 0;
  let sent: Promise<void> = Promise.resolve();
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
      const number = ++asked;
      // one request at a time, and only the latest settings of those that wait
      sent = sent
        .then(async () => {
          if (number === asked) await keepSettings({ ...now });
        })
        .catch(() => {
          if (number === asked) kept = ""; // the next change is sent even if it equals this one
        });
    }, PAUSE_MS);
  });
}
