// Elements, in HTML and SVG.

type Child = Node | string | null | undefined | false;
type Props = Record<string, unknown>;

function fill<E extends Element>(element: E, props: Props, children: Child[]): E {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === false || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value as EventListener);
    else if (name in element && !(element instanceof SVGElement) && name !== "style") Reflect.set(element, name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child): child is Node | string => Boolean(child)));
  return element;
}

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]) {
  return fill(document.createElement(tag), props, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), props, children);
}

/** The address of the documentation of cubes. */
export const DOCS = "https://github.com/optimal-puzzles/optimal-puzzles/blob/main/docs/cube.md";
/** The address of the documentation of permutation puzzles. */
export const PUZZLE_DOCS = "https://github.com/optimal-puzzles/optimal-puzzles/blob/main/docs/puzzles.md";

/** A labelled choice. */
export function choice<T extends string>(
  label: string,
  options: [T, string][],
  value: T,
  onchange: (value: T) => void,
): HTMLLabelElement & { select: HTMLSelectElement } {
  const select = el(
    "select",
    { onchange: () => onchange(select.value as T) },
    ...options.map(([key, text]) => el("option", { value: key, selected: key === value }, text)),
  );
  return Object.assign(el("label", { className: "field" }, el("span", {}, label), select), { select });
}

export const count = (value: number | bigint) =>
  (typeof value === "bigint" ? value : Math.round(value)).toLocaleString("en-US");

/** Scrolls to the beginning of an element, unless that is well in view. */
export function reveal(element: Element) {
  const { top } = element.getBoundingClientRect();
  if (top < 0 || top > innerHeight * 0.6) element.scrollIntoView({ block: "start" });
}

/** A number of moves with its noun: "1 move", "12 moves". */
export const countMoves = (value: number) => `${count(value)} ${value === 1 ? "move" : "moves"}`;

/** A scramble of random turns, each about another axis than the previous one. */
export function randomMoves(length: number): string {
  const draw = (below: number) => Math.floor(Math.random() * below);
  const [axes, moves] = [["UD", "RL", "FB"], [] as string[]];
  let axis = draw(3);
  for (let i = 0; i < length; i += 1) {
    axis = (axis + 1 + draw(2)) % 3;
    moves.push(axes[axis]![draw(2)]! + ["", "2", "'"][draw(3)]!);
  }
  return moves.join(" ");
}

export function bytes(value: number): string {
  return value >= 1e9 ? `${(value / 1e9).toFixed(1)} GB` : `${Math.round(value / 1e6)} MB`;
}

export function seconds(value: number): string {
  if (value < 10) return `${value.toFixed(2)} s`;
  if (value < 120) return `${value.toFixed(0)} s`;
  return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

/** A random number for a seed: an integer that is represented exactly. */
export function seed(): number {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return (high! & 0x1fffff) * 2 ** 32 + low!;
}
