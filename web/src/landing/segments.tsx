// A row of choices of which one is chosen.
interface SegmentsProps {
  legend: string;
  options: { value: string; name: string; chip?: number | null; title?: string }[];
  value: string;
  onChange: (value: string) => void;
}

export function Segments({ legend, options, value, onChange }: SegmentsProps) {
  return (
    <fieldset class="segments">
      <legend>{legend}</legend>
      <div class="options">
        {options.map((option) => (
          <label key={option.value} class={option.value === value ? "chosen" : ""} {...(option.title ? { title: option.title } : {})}>
            <input
              type="radio"
              class="visually-hidden"
              name={legend}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {typeof option.chip === "number" && <span class={`chip owner-${option.chip}`} aria-hidden="true" />}
            {option.name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
