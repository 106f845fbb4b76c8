// The cube in space: 27 cubies, placed and turned by CSS. After a turn the cubies go back and get the colours of
// the new position, so nothing accumulates.
import { el } from "../dom";
import { FACELETS, type Turn, axisOf, isTurned, turned } from "./facelets";

const SIDES: [string, string][] = [
  ["0,1,0", "rotateX(90deg)"], ["1,0,0", "rotateY(90deg)"], ["0,0,1", ""],
  ["0,-1,0", "rotateX(-90deg)"], ["-1,0,0", "rotateY(-90deg)"], ["0,0,-1", "rotateY(180deg)"],
];
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Solid {
  readonly element: HTMLElement;
  private readonly stickers: HTMLElement[] = [];
  private readonly cubies: { at: [number, number, number]; element: HTMLElement; home: string }[] = [];
  private readonly scene = el("div", { className: "solid" });
  private angles = { x: -28, y: -36 };

  constructor() {
    const places = [-1, 0, 1];
    for (const x of places) for (const y of places) for (const z of places) {
      // CSS has y downwards.
      const home = `translate3d(${x}em,${-y}em,${z}em)`;
      const element = el("div", { className: "cubie", style: `transform:${home}` });
      for (const [normal, rotation] of SIDES) {
        const side = el("i", { style: `transform:${rotation} translateZ(.5em)` });
        const is = FACELETS.findIndex((facelet) => facelet.cubie.join() === [x, y, z].join() && facelet.normal.join() === normal);
        if (is >= 0) this.stickers[is] = side;
        element.append(side);
      }
      this.cubies.push({ at: [x, y, z], element, home });
      this.scene.append(element);
    }
    this.element = el("div", {
      className: "stage", role: "img", tabIndex: 0, ariaLabel: "The cube in 3D; drag or use the arrow keys to look around",
      onkeydown: (event: KeyboardEvent) => {
        const step = { ArrowLeft: [0, -15], ArrowRight: [0, 15], ArrowUp: [15, 0], ArrowDown: [-15, 0] }[event.key];
        if (!step) return;
        event.preventDefault();
        this.turnTo(this.angles.x + step[0]!, this.angles.y + step[1]!);
      },
    }, this.scene);
    this.look();
    this.element.addEventListener("pointerdown", (event) => this.drag(event));
  }

  show(facelets: string) {
    [...facelets].forEach((colour, at) => { this.stickers[at]!.className = `sticker c-${colour}`; });
  }

  async turn(facelets: string, turn: Turn, milliseconds: number): Promise<void> {
    const after = turned(facelets, turn);
    if (!still.matches && this.element.isConnected) {
      const [x, y, z] = axisOf(turn.face);
      const angle = turn.quarters === 3 ? -90 : turn.quarters * 90;
      const layer = this.cubies.filter(({ at }) => isTurned(at, turn));
      const options = { duration: milliseconds * (turn.quarters === 2 ? 1.3 : 1), easing: "ease-in-out" };
      const animations = layer.map(({ element, home }) => element.animate(
        [{ transform: `rotate3d(${x},${-y},${z},0deg) ${home}` },
          { transform: `rotate3d(${x},${-y},${z},${angle}deg) ${home}` }], options));
      await Promise.all(animations.map((animation) => animation.finished.catch(() => undefined)));
    }
    this.show(after);
  }

  private turnTo(x: number, y: number) {
    this.angles = { x: Math.max(-85, Math.min(85, x)), y };
    this.look();
  }

  private look() {
    this.scene.style.transform = `rotateX(${this.angles.x}deg) rotateY(${this.angles.y}deg)`;
  }

  private drag(start: PointerEvent) {
    const from = { ...this.angles };
    this.element.setPointerCapture(start.pointerId);
    const move = (event: PointerEvent) => {
      this.turnTo(from.x - (event.clientY - start.clientY) * 0.6, from.y + (event.clientX - start.clientX) * 0.6);
    };
    const end = () => {
      this.element.removeEventListener("pointermove", move);
      this.element.removeEventListener("pointerup", end);
      this.element.removeEventListener("pointercancel", end);
    };
    this.element.addEventListener("pointermove", move);
    this.element.addEventListener("pointerup", end);
    this.element.addEventListener("pointercancel", end);
  }
}
