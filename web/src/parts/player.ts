// Playing a solution, step by step, at any speed.
import { el, svg } from "../dom";

const ICONS = {
  start: "M6 5v14M20 5 9 12l11 7z", back: "M17 5 7 12l10 7z", play: "M7 4v16l13-8z", pause: "M8 5v14M16 5v14",
  on: "M7 5v14l8-7zM18 5v14", end: "M4 5v14l11-7zM18 5v14",
};

function icon(name: keyof typeof ICONS) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

export interface Scene {
  /** The element that shows the positions, if it may be out of view. */
  stage?: Element;
  /** Shows the position after the given number of moves, without animation. */
  show(step: number): void;
  /** Makes move number `step`, or undoes it; resolves when the animation ends. */
  move(step: number, back: boolean, milliseconds: number): Promise<void>;
}

/** The controls for the moves of a solution. */
export class Player {
  readonly element: HTMLElement;
  private step = 0;
  private playing = false;
  private busy = false;
  private readonly chips: HTMLButtonElement[];
  private readonly play: HTMLButtonElement;
  private readonly slider: HTMLInputElement;
  private readonly place: HTMLElement;
  private readonly speed: HTMLInputElement;

  constructor(moves: string[], private readonly scene: Scene) {
    const button = (name: keyof typeof ICONS, label: string, onclick: () => void) =>
      el("button", { type: "button", className: "round", title: label, ariaLabel: label, onclick }, icon(name));
    this.play = button("play", "Play", () => void this.toggle());
    this.place = el("output", { className: "place" });
    this.slider = el("input", {
      type: "range", min: "0", max: String(moves.length), value: "0", ariaLabel: "Position in the solution",
      oninput: () => this.go(Number(this.slider.value)),
    });
    this.speed = el("input", { type: "range", min: "1", max: "10", value: "4" });
    this.chips = moves.map((move, at) =>
      el("button", { type: "button", className: "move", onclick: () => this.go(at + 1) }, move));
    this.element = el("div", { className: "player" },
      el("ol", { className: "moves", ariaLabel: "Moves" }, ...this.chips.map((chip) => el("li", {}, chip))),
      el("div", { className: "transport" },
        button("start", "To the start", () => this.go(0)),
        button("back", "One move back", () => void this.forward(true)),
        this.play,
        button("on", "One move forward", () => void this.forward(false)),
        button("end", "To the end", () => this.go(moves.length)),
        this.place,
        el("label", { className: "speed" }, el("span", {}, "Speed"), this.speed)),
      this.slider);
    this.mark();
  }

  private get length() {
    return this.chips.length;
  }

  /** Stops playing. */
  pause() {
    this.playing = false;
    this.mark();
  }

  /** Shows the position after the given number of moves. */
  go(step: number) {
    this.playing = false;
    this.step = step;
    this.scene.show(step);
    this.mark();
  }

  private async forward(back: boolean) {
    if (this.busy || (back ? this.step === 0 : this.step === this.length)) return;
    this.busy = true;
    this.scene.stage?.scrollIntoView({ block: "nearest" });
    const milliseconds = 1600 / Number(this.speed.value);
    await this.scene.move(back ? this.step - 1 : this.step, back, milliseconds);
    this.busy = false;
    this.step += back ? -1 : 1;
    this.mark();
  }

  private async toggle() {
    this.playing = !this.playing;
    if (this.playing && this.step === this.length) this.go(0), (this.playing = true);
    this.mark();
    while (this.playing && this.step < this.length && this.element.isConnected) {
      const before = this.step;
      await this.forward(false);
      if (this.step !== before + 1) break;
    }
    this.playing = false;
    this.mark();
  }

  private mark() {
    this.play.replaceChildren(icon(this.playing ? "pause" : "play"));
    this.play.title = this.play.ariaLabel = this.playing ? "Pause" : "Play";
    this.slider.value = String(this.step);
    this.place.textContent = `${this.step} / ${this.length}`;
    this.chips.forEach((chip, at) => {
      chip.classList.toggle("done", at < this.step);
      if (at === this.step - 1) chip.setAttribute("aria-current", "step");
      else chip.removeAttribute("aria-current");
    });
  }
}
