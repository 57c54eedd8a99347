// The fields for a game's start position, as listed by the site.
import type { SetupField } from "../api.gen.ts";

interface BeginningProps {
  fields: SetupField[];
  values: Record<string, string>;
  onChange: (values: Record<string, string>) => void;
}

export function BeginningFields({ fields, values, onChange }: BeginningProps) {
  const set = (key: string) => (event: Event) => onChange({ ...values, [key]: (event.target as HTMLInputElement | HTMLSelectElement).value });
  if (!fields.length) return null;
  return (
    <div class="beginning">
      {fields.map((field) => (
        <label key={field.key} class={`field ${field.kind}`}>
          <span>{field.title}</span>
          <Field field={field} value={values[field.key] ?? ""} onInput={set(field.key)} />
        </label>
      ))}
    </div>
  );
}

function Field({ field, value, onInput }: { field: SetupField; value: string; onInput: (event: Event) => void }) {
  if (field.kind === "choice") {
    return (
      <select value={value || field.values[0]} onChange={onInput}>
        {field.values.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    );
  }
  if (field.kind === "number") return <input type="number" step={0.5} value={value} placeholder={field.hint} onInput={onInput} />;
  if (field.kind === "lot") {
    return <input type="number" min={0} max={field.most} step={1} value={value} placeholder={field.hint} onInput={onInput} />;
  }
  return <input type="text" value={value} maxLength={120} spellcheck={false} placeholder={field.hint} onInput={onInput} />;
}
