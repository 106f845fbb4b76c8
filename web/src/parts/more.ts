// Further options of a search: chosen moves, open goals, fixed moves.
import { choice, el } from "../dom";

/** The named goals, which crates/cube/src/mask/named.rs defines. */
const GOALS: [string, string][] = [
  ["", "the solved cube"],
  ["cross", "cross: the edges of the bottom"],
  ["xcross", "xcross: the cross and a pair"],
  ["xxcross", "xxcross: the cross and two pairs"],
  ["xxxcross", "xxxcross: the cross and three pairs"],
  ["f2l", "f2l: all but the top layer"],
  ["oll", "oll: first two layers solved, top oriented"],
  ["pll", "pll: solved except for a last turn of the top"],
  ["eo", "eo: all edges oriented"],
  ["eoline", "eoline: all edges oriented, DF and DB solved"],
  ["eocross", "eocross: all edges oriented, and the cross"],
  ["co", "co: all corners oriented"],
  ["dr", "dr: domino reduction"],
  ["htr", "htr: half-turn reduction"],
  ["fr", "fr: floppy reduction"],
  ["222", "222: a 2x2x2 block"],
  ["223", "223: a 2x2x3 block (Petrus)"],
  ["roux1", "roux1: a 1x2x3 block (Roux)"],
  ["roux2", "roux2: both 1x2x3 blocks (Roux)"],
];
const FACES: [string, string][] = ["D", "U", "R", "F", "L", "B"].map((face) => [face, face]);
const BOTTOMS: [string, string][] = [...FACES, ["U,D", "U or D"], ["any", "any"]];
const FRONTS: [string, string][] = [["", "usual"], ...FACES, ["any", "any"]];
const TEXTS = ["moves", "pre", "post"] as const;

type Text = (typeof TEXTS)[number];

export class More {
  readonly element: HTMLElement;
  private readonly texts: Record<Text, string>;
  private goal: string;
  private bottom: string;
  private front: string;
  private auf: boolean;
  private niss: number;

  /** Initialized from the address; `changed` is called when an option changes. */
  constructor(state: URLSearchParams, changed: () => void) {
    const text = (name: string) => state.get(name) ?? "";
    const known = (options: [string, string][], name: string) => options.some(([one]) => one === text(name));
    this.texts = { moves: text("moves"), pre: text("pre"), post: text("post") };
    this.goal = known(GOALS, "goal") ? text("goal") : "";
    this.bottom = known(BOTTOMS, "bottom") ? text("bottom") : "D";
    this.front = known(FRONTS, "front") ? text("front") : "";
    this.auf = text("auf") === "1";
    this.niss = Math.max(0, Math.min(99, Math.floor(Number(text("niss"))) || 0));
    const field = (name: Text, label: string, placeholder: string) => {
      const input = el("input", {
        id: `cube-${name}`, type: "text", size: 20, spellcheck: false, autocapitalize: "off", autocomplete: "off",
        placeholder, value: this.texts[name],
        oninput: () => {
          this.texts[name] = input.value.trim();
          changed();
        },
      });
      return el("label", { className: "field" }, el("span", {}, label), input);
    };
    const goals = choice("Goal", GOALS, this.goal, (value) => {
      this.goal = value;
      changed();
    });
    const bottoms = choice("Bottom", BOTTOMS, this.bottom, (value) => {
      this.bottom = value;
      changed();
    });
    const fronts = choice("Front", FRONTS, this.front, (value) => {
      this.front = value;
      changed();
    });
    const auf = el("input", {
      id: "cube-auf", type: "checkbox", checked: this.auf,
      onchange: () => {
        this.auf = auf.checked;
        changed();
      },
    });
    const niss = el("input", {
      id: "cube-niss", type: "number", min: "0", max: "99", value: String(this.niss),
      oninput: () => {
        this.niss = Math.max(0, Math.min(99, Math.floor(niss.valueAsNumber) || 0));
        changed();
      },
    });
    this.element = el("details", { className: "more", open: Object.keys(this.asked()).length > 0 },
      el("summary", {}, "Only some moves, cross and other goals, NISS"),
      el("div", { className: "row" },
        field("moves", "Moves to solve with (empty: all)", "U R F D L B"), goals, bottoms, fronts,
        el("label", { className: "check" }, auf, "ignore AUF (last turn of the top)")),
      el("div", { className: "row" },
        field("pre", "First moves", "R U (F)"), field("post", "Last moves", "F"),
        el("label", { className: "field" }, el("span", {}, "NISS: moves at the end to show on the inverse"), niss)),
      el("p", {}, "Moves in ( ) are on the inverse scramble."));
  }

  /** The options for the request and the address, without those at their defaults. */
  asked(): Record<string, string | number | boolean> {
    const { moves, pre, post } = this.texts;
    const all = { moves, pre, post, goal: this.goal, front: this.front, auf: this.auf, niss: this.niss };
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value));
    return this.bottom === "D" ? given : { ...given, bottom: this.bottom };
  }
}
