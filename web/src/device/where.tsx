// The switch between evaluation on this device and by the site.
import { prefer } from "../prefs.ts";
import { tryAgain } from "./engine.ts";
import type { Where } from "./use-where.ts";

const NAMES = { device: "On this device", site: "By the site" } as const;

/** The switch, where there is a choice, and what is to be said about the engine on this device. */
export function WhereSwitch({ where, name }: { where: Where; name: string }) {
  if (!where.isOffered) return null;
  const choose = (thinker: "device" | "site") => {
    if (thinker === "device") tryAgain();
    prefer({ thinker });
  };
  return (
    <div class="where">
      <fieldset class="segments">
        <legend class="visually-hidden">{name}</legend>
        <div class="options">
          {(["device", "site"] as const).map((by) => (
            <label key={by} class={where.by === by ? "chosen" : ""}>
              <input type="radio" class="visually-hidden" name={name} checked={where.by === by} onChange={() => choose(by)} />
              {NAMES[by]}
            </label>
          ))}
        </div>
      </fieldset>
      {where.progress && (
        <p class="quiet-note" role="status">
          {where.progress}
        </p>
      )}
      {where.lack && (
        <p class="fault" role="status">
          {where.lack} The site evaluates instead.
        </p>
      )}
    </div>
  );
}
