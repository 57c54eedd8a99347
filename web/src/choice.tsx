// A labelled list to choose from.

interface ChoiceProps {
  title: string;
  value: string;
  options: { value: string; name: string }[];
  onChange: (value: string) => void;
}

export function Choice({ title, value, options, onChange }: ChoiceProps) {
  return (
    <label class="field">
      <span>{title}</span>
      <select value={value} onChange={(event: Event) => onChange((event.target as HTMLSelectElement).value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.name}
          </option>
        ))}
      </select>
    </label>
  );
}
