// The tool palette of the position editor: general tools, and a row of pieces for each player.
import type { ComponentChildren } from "preact";
import type { Kit } from "../api.gen.ts";
import { sidesOf } from "../board/colours.ts";
import { PieceShape } from "../board/pieces.tsx";
import { Icon } from "../icons.tsx";
import type { Tool } from "./arrangement.ts";

interface ToolsProps {
  kit: Kit;
  tool: Tool;
  onTool: (tool: Tool) => void;
}

export function Tools({ kit, tool, onTool }: ToolsProps) {
  const owners = [...new Set(kit.kinds.map((kind) => kind.owner))];
  return (
    <fieldset class="tool-rows">
      <legend class="visually-hidden">Tool</legend>
      <div>
        <ToolButton name="Move pieces" chosen={tool.does === "move"} onChoose={() => onTool({ does: "move" })}>
          <Icon name="hand" />
        </ToolButton>
        {(kit.edges.length > 0 || kit.kinds.some((kind) => !kind.single)) && (
          <ToolButton name={kit.edges.length ? "Remove walls" : "Remove pieces"} chosen={tool.does === "remove"} onChoose={() => onTool({ does: "remove" })}>
            <Icon name="cross" />
          </ToolButton>
        )}
        {kit.edges.length > 0 && (
          <ToolButton name="Build walls" chosen={tool.does === "wall"} onChoose={() => onTool({ does: "wall" })}>
            <Icon name="wall" />
          </ToolButton>
        )}
      </div>
      {owners.map((owner) => (
        <div key={owner}>
          {kit.kinds.map(
            (kind) =>
              kind.owner === owner && (
                <ToolButton
                  key={kind.shape}
                  name={kind.name}
                  chosen={tool.does === "put" && tool.kind.shape === kind.shape && tool.kind.owner === owner}
                  onChoose={() => onTool({ does: "put", kind })}
                >
                  <svg class={`board ${kit.board.style}`} style={sidesOf(kit.board)} viewBox="-50 -50 100 100" aria-hidden="true">
                    <PieceShape shape={kind.shape} owner={kind.owner} />
                  </svg>
                </ToolButton>
              ),
          )}
        </div>
      ))}
    </fieldset>
  );
}

interface ButtonProps {
  name: string;
  chosen: boolean;
  onChoose: () => void;
  children: ComponentChildren;
}

function ToolButton({ name, chosen, onChoose, children }: ButtonProps) {
  return (
    <label class={chosen ? "tool chosen" : "tool"} title={name}>
      <input type="radio" class="visually-hidden" name="tool" aria-label={name} checked={chosen} onChange={onChoose} />
      {children}
    </label>
  );
}
