// A row of radio buttons.
import { Chip } from "../board/chip.tsx";

interface SegmentsProps {
  legend: string;
  options: { value: string; name: string; chip?: number | null; title?: string; note?: string | undefined }[];
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
            {typeof option.chip === "number" && <Chip owner={option.chip} />}
            {option.note ? (
              <span class="noted">
                <span>{option.name}</span> <small>{option.note}</small>
              </span>
            ) : (
              option.name
            )}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
