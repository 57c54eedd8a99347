// Who one is here: a guest, or an account with a name, a password and ratings.
import { useState } from "preact/hooks";
import { useAsking } from "../asking.ts";
import { Button } from "../button.tsx";
import { useCatalogue } from "../catalogue.ts";
import { becomes, usePerson } from "../identity.ts";
import type { Me } from "../api.gen.ts";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";
import { changePassword, leave, logIn, logOut, register } from "../people.ts";
import { RatingsTable } from "../ratings/ratings-table.tsx";
import { pathOf } from "../ratings/words.ts";

interface AccountProps {
  onNotice: OnNotice;
}

export function Account({ onNotice }: AccountProps) {
  const person = usePerson();
  const [busy, setBusy] = useState(false);
  if (!person) return null;
  const attempt = async (what: Promise<Me>, done: string) => {
    setBusy(true);
    try {
      becomes(await what);
      onNotice(done);
    } catch (error) {
      onNotice(asError(error));
      return false;
    } finally {
      setBusy(false);
    }
    return true;
  };
  return (
    <section class="panel">
      <h2>{person.account ? person.name : "You are a guest"}</h2>
      {person.account ? <Owner person={person} busy={busy} attempt={attempt} /> : <Guest person={person} busy={busy} attempt={attempt} />}
    </section>
  );
}

interface PartProps {
  person: Me;
  /** Whether an attempt is on its way: a second one would answer to what the first has changed. */
  busy: boolean;
  /** True if it has succeeded. */
  attempt: (what: Promise<Me>, done: string) => Promise<boolean>;
}

function Guest({ person, busy, attempt }: PartProps) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  return (
    <form
      class="stack"
      onSubmit={(event: Event) => {
        event.preventDefault();
        attempt(logIn(name, password), "Welcome back.");
      }}
    >
      <p class="quiet-note">
        Others see you as {person.name}. An account has a name of its own, rated games and ratings; it needs no address.
      </p>
      <Field title="Name" value={name} autocomplete="username" onValue={setName} />
      <Field title="Password" type="password" value={password} autocomplete="current-password" onValue={setPassword} />
      <div class="row">
        <Button type="submit" class="button primary" disabled={busy || !name || !password}>
          Log in
        </Button>
        <Button disabled={busy || !name || !password} onClick={() => attempt(register(name, password), `Welcome, ${name}.`)}>
          Make an account
        </Button>
      </div>
    </form>
  );
}

function Owner({ person, busy, attempt }: PartProps) {
  const [password, setPassword] = useState("");
  const [fresh, setFresh] = useState("");
  const offered = useCatalogue();
  const { asking, ask, button, harmless } = useAsking();
  const change = async () => {
    if (!(await attempt(changePassword(password, fresh), "Your password is changed; other sessions have ended."))) return;
    setPassword("");
    setFresh("");
  };
  return (
    <div class="stack">
      {person.ratings.length > 0 ? <RatingsTable ratings={person.ratings} offered={offered} /> : <p class="quiet-note">You have played no rated game yet.</p>}
      <p>
        <a href={pathOf(person.name)}>Your page, as others see it</a>
      </p>
      <Field title="Password" type="password" value={password} autocomplete="current-password" onValue={setPassword} />
      <Field title="New password" type="password" value={fresh} autocomplete="new-password" onValue={setFresh} />
      <div class="row">
        <Button disabled={busy || !password || !fresh} onClick={change}>
          Change password
        </Button>
        <Button disabled={busy} onClick={() => attempt(logOut(), "You are logged out.")}>
          Log out
        </Button>
        {asking ? (
          <div class="row" role="group" aria-label="Delete the account?">
            <p class="quiet-note">Deleting cannot be undone, and needs the password.</p>
            <Button class="button danger" disabled={busy || !password} onClick={() => attempt(leave(password), "The account is deleted.")}>
              Yes, delete it
            </Button>
            <Button ref={harmless} onClick={() => ask(false)}>
              Keep it
            </Button>
          </div>
        ) : (
          <Button ref={button} class="button quiet" onClick={() => ask(true)}>
            Delete the account
          </Button>
        )}
      </div>
    </div>
  );
}

interface FieldProps {
  title: string;
  value: string;
  type?: "text" | "password";
  autocomplete: string;
  onValue: (value: string) => void;
}

function Field({ title, value, type = "text", autocomplete, onValue }: FieldProps) {
  return (
    <label class="field">
      <span>{title}</span>
      <input
        {...(type === "password" ? { type: "password" as const } : { type: "text" as const })}
        value={value}
        autocomplete={autocomplete}
        maxLength={128}
        onInput={(event: Event) => onValue((event.target as HTMLInputElement).value)}
      />
    </label>
  );
}
