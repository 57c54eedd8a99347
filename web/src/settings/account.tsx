// The account panel of the settings: log in or create an account; change the password, log out or delete the account.
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
  /** Whether a request is in progress; a second one would act on outdated state. */
  busy: boolean;
  /** Await a request, show `done` or its error, and return whether it succeeded. */
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
        Other people see you as {person.name}. With an account you choose your name and play rated games. No e-mail address is needed.
      </p>
      <Field title="Name" value={name} autocomplete="username" onValue={setName} />
      <Field title="Password" type="password" value={password} autocomplete="current-password" onValue={setPassword} />
      <div class="row">
        <Button type="submit" class="button primary" disabled={busy || !name || !password}>
          Log in
        </Button>
        <Button disabled={busy || !name || !password} onClick={() => attempt(register(name, password), `Welcome, ${name}.`)}>
          Create an account
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
    if (!(await attempt(changePassword(password, fresh), "Your password has been changed. All other sessions are logged out."))) return;
    setPassword("");
    setFresh("");
  };
  return (
    <div class="stack">
      {person.ratings.length > 0 ? <RatingsTable ratings={person.ratings} offered={offered} /> : <p class="quiet-note">You have not played a rated game yet.</p>}
      <p>
        <a href={pathOf(person.name)}>See your public page</a>
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
            <p class="quiet-note">Deletion cannot be undone. Enter your password to confirm.</p>
            <Button class="button danger" disabled={busy || !password} onClick={() => attempt(leave(password), "Your account has been deleted.")}>
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
