// The choice of the moves that count and the rotations that are free, as on the command line of puzzle-opt.
import { choice, el } from "../dom";
import type { About } from "optimal-puzzles";

const METRICS: [string, string][] = [
  ["powers", "every power is one move"], ["inverses", "a move and its inverse"], ["generators", "the move alone"],
];
const ROTATIONS: [string, string][] = [["", "those of the puzzle"], ["none", "none"], ["chosen", "those named here"]];

export class Moves {
  readonly element: HTMLElement;
  private readonly moves: HTMLInputElement;
  private readonly named: HTMLInputElement;
  private metric: string;
  private rotations: string;

  /** Initialized from the address; `changed` is called when a choice changes. */
  constructor(state: URLSearchParams, changed: () => void) {
    const known = (options: [string, string][], name: string, other: string) =>
      options.some(([value]) => value === state.get(name)) ? state.get(name)! : other;
    this.metric = known(METRICS, "metric", "powers");
    this.rotations = known(ROTATIONS, "rotations", "");
    const input = (id: string, label: string) => el("input", {
      id, type: "text", size: 20, spellcheck: false, autocapitalize: "off", autocomplete: "off", ariaLabel: label, oninput: changed,
    });
    this.moves = input("puzzle-moves", "Moves that count");
    this.moves.value = state.get("moves") ?? "";
    this.named = input("puzzle-rotations", "Names of free rotations");
    this.named.value = state.get("named") ?? "";
    this.element = el("details", { className: "more", open: Object.keys(this.asked()).length > 0 },
      el("summary", {}, "Which moves count"),
      el("div", { className: "row" },
        el("label", { className: "field" }, el("span", {}, "Moves that count (empty: all)"), this.moves),
        choice("Metric", METRICS, this.metric, (value) => {
          this.metric = value;
          changed();
        }),
        choice("Free rotations", ROTATIONS, this.rotations, (value) => {
          this.rotations = value;
          this.named.hidden = value !== "chosen";
          changed();
        }),
        this.named));
    this.named.hidden = this.rotations !== "chosen";
  }

  /** Shows the names of the puzzle as examples. */
  describe(puzzle: About) {
    this.moves.placeholder = puzzle.moves.filter((name) => /^[A-Za-z]+$/.test(name)).slice(0, 4).join(" ");
    this.named.placeholder = puzzle.rotations.join(" ") || "x y";
  }

  /** The choices for the request, without those at their defaults. */
  asked(): Record<string, string> {
    const [moves, rotations] = [this.moves.value.trim(), { "": undefined, none: "", chosen: this.named.value }[this.rotations]];
    return {
      ...(moves ? { moves } : {}), ...(this.metric === "powers" ? {} : { metric: this.metric }),
      ...(rotations === undefined ? {} : { rotations }),
    };
  }

  /** The choices for the address. */
  kept(): Record<string, string> {
    return {
      moves: this.moves.value.trim(), metric: this.metric === "powers" ? "" : this.metric, rotations: this.rotations,
      named: this.rotations === "chosen" ? this.named.value.trim() : "",
    };
  }
}
