// The unfolded cube: its stickers are painted by clicks or keys, and marked at faults.
import { el, svg } from "../dom";
import { FACES } from "./facelets";

const SIZE = 30;
const PLACES: Record<string, [number, number]> = { U: [3, 0], L: [0, 3], F: [3, 3], R: [6, 3], B: [9, 3], D: [3, 6] };
const COLOURS: Record<string, string> = { U: "white", R: "red", F: "green", D: "yellow", L: "orange", B: "blue" };

/** The column and row of a facelet on the net. */
function cell(at: number): [number, number] {
  const [x, y] = PLACES[FACES[Math.floor(at / 9)]!]!;
  return [x + (at % 3), y + Math.floor((at % 9) / 3)];
}

const GRID = new Map(Array.from({ length: 54 }, (_, at) => [cell(at).join(), at]));

export class Net {
  readonly element: HTMLElement;
  private readonly stickers: SVGRectElement[];
  private readonly marks: SVGPathElement[];
  private facelets = "";
  private colour = "U";
  private focused = 4;

  /** `paint` gets the facelets after each change, and the place of the change. */
  constructor(private readonly paint: (facelets: string, at: number) => void) {
    this.stickers = Array.from({ length: 54 }, (_, at) => {
      const [x, y] = cell(at);
      return svg("rect", {
        x: x * SIZE + 1.5, y: y * SIZE + 1.5, width: SIZE - 3, height: SIZE - 3, rx: 4, role: "button",
        tabindex: at === this.focused ? 0 : -1,
        onclick: () => this.set(at, this.colour),
        onfocus: () => this.focus(at, false),
        onkeydown: (event: KeyboardEvent) => this.key(at, event),
      });
    });
    this.marks = Array.from({ length: 54 }, (_, at) => {
      const [x, y] = cell(at);
      const [cx, cy, r] = [(x + 0.5) * SIZE, (y + 0.5) * SIZE, 6];
      return svg("path", { class: "mark", d: `M${cx - r} ${cy - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}` });
    });
    const letters = FACES.map((face) => {
      const [x, y] = PLACES[face]!;
      return svg("text", { x: (x + 1.5) * SIZE, y: (y + 1.5) * SIZE + 4, class: `centre on-${face}` }, face);
    });
    const net = svg("svg", {
      class: "net", viewBox: `0 0 ${12 * SIZE} ${9 * SIZE}`, role: "group",
      "aria-label": "The cube unfolded. Arrow keys move between stickers; U, R, F, D, L and B paint one.",
    }, ...this.stickers, ...letters, ...this.marks);
    const palette = el("fieldset", { className: "palette" }, el("legend", {}, "Paint with"),
      ...FACES.map((face) => el("label", { title: `${COLOURS[face]} (${face})` },
        el("input", {
          type: "radio", name: "colour", value: face, checked: face === this.colour,
          onchange: () => { this.colour = face; },
        }),
        el("span", { className: `swatch c-${face}` }), el("span", { className: "visually-hidden" }, COLOURS[face]!))));
    this.element = el("div", { className: "unfolded" }, net, palette);
  }

  show(facelets: string) {
    this.facelets = facelets;
    this.stickers.forEach((sticker, at) => {
      sticker.setAttribute("class", `sticker c-${facelets[at]}`);
      this.label(at, false);
    });
    this.mark([]);
  }

  /** Marks the faulty facelets. */
  mark(at: number[]) {
    this.marks.forEach((mark, facelet) => mark.classList.toggle("wrong", at.includes(facelet)));
    this.stickers.forEach((sticker, facelet) => {
      sticker.classList.toggle("wrong", at.includes(facelet));
      this.label(facelet, at.includes(facelet));
    });
  }

  private label(at: number, wrong: boolean) {
    const text = `${FACES[Math.floor(at / 9)]}${(at % 9) + 1} ${COLOURS[this.facelets[at]!] ?? "no colour"}`;
    this.stickers[at]!.setAttribute("aria-label", wrong ? `${text}, wrong` : text);
  }

  private set(at: number, colour: string) {
    if (this.facelets[at] === colour) return;
    this.facelets = this.facelets.slice(0, at) + colour + this.facelets.slice(at + 1);
    this.show(this.facelets);
    this.paint(this.facelets, at);
  }

  private focus(at: number, move: boolean) {
    this.stickers[this.focused]!.setAttribute("tabindex", "-1");
    this.focused = at;
    this.stickers[at]!.setAttribute("tabindex", "0");
    if (move) this.stickers[at]!.focus();
  }

  private key(at: number, event: KeyboardEvent) {
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
    };
    const step = steps[event.key];
    const colour = event.key.toUpperCase();
    if (step) {
      let [x, y] = cell(at);
      for (let i = 0; i < 12; i += 1) {
        [x, y] = [(x + step[0] + 12) % 12, (y + step[1] + 9) % 9];
        const next = GRID.get([x, y].join());
        if (next !== undefined) {
          this.focus(next, true);
          break;
        }
      }
    } else if ((FACES as readonly string[]).includes(colour) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      this.set(at, colour);
    } else if (event.key === "Enter" || event.key === " ") {
      this.set(at, this.colour);
    } else {
      return;
    }
    event.preventDefault();
  }
}
