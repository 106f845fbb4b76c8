// Sliding tiles: boards from 2x2 to 10x10, by dragging or typing; shortest solutions; the parts of the heuristic.
import { remember } from "../address";
import { choice, el, seed, svg } from "../dom";
import type { View } from "../main";
import { type Explained, type Fault, Refused, type Solution, Solver } from "optimal-puzzles";
import { Player } from "../parts/player";
import { Search } from "../parts/search";

const SIZE = 80;
const still = matchMedia("(prefers-reduced-motion: reduce)");
/** The greatest number of rows or columns, in the library. */
const MOST_SIDE = 10;
const METRICS: [string, string][] = [["single", "one tile"], ["multi", "any tiles of a line at once"]];
const ANSWERS: [string, string][] = [["shortest", "shortest, with its proof"], ["quick", "a good one, soon"]];
const HEURISTICS: [string, string][] = [
  ["", "automatic"], ["korf96", "Korf & Taylor 1996"], ["pdb", "pattern databases"], ["lc", "linear conflict"], ["md", "Manhattan distance"],
];
const STEPS: Record<string, [number, number]> = { U: [-1, 0], D: [1, 0], L: [0, -1], R: [0, 1] };
const KEYS: Record<string, string> = { ArrowUp: "D", ArrowDown: "U", ArrowLeft: "R", ArrowRight: "L" };

export function tilesView(state: URLSearchParams): View {
  const [quick, solver] = [new Solver({ threads: 1, tables: false }), new Solver()];
  const side = (name: string) => Math.min(MOST_SIDE, Math.max(2, Number(state.get(name) ?? 4) || 4));
  let [rows, cols] = [side("rows"), side("cols")];
  let last = state.get("goal") !== "first";
  const known = (options: [string, string][], name: string) =>
    options.some(([value]) => value === state.get(name)) ? state.get(name)! : options[0]![0];
  let [heuristic, metric, wanted] = [known(HEURISTICS, "heuristic"), known(METRICS, "metric"), known(ANSWERS, "want")];
  let tiles: number[] = [];
  let legal = true;
  let player: Player | undefined;
  let explained: Explained | undefined;

  const search = new Search(solver);
  const faults = el("ul", { className: "faults", role: "alert" });
  const solution = el("div", { className: "solutions" });
  const parts = el("div", { className: "parts" });
  const board = svg("svg", {
    class: "tiles", role: "group", tabindex: 0,
    "aria-label": "Board. Arrow keys slide a tile into the blank.",
    onkeydown: (event: KeyboardEvent) => {
      const move = KEYS[event.key];
      if (move && slide(move)) event.preventDefault();
    },
  });
  const input = el("input", {
    id: "tiles-text", type: "text", spellcheck: false, autocomplete: "off", inputMode: "numeric",
    oninput: () => void read(),
    onkeydown: (event: KeyboardEvent) => { if (event.key === "Enter") void solve(); },
  });
  const go = el("button", { type: "button", className: "primary", onclick: () => void solve() }, "Solve");
  const hint = el("button", { type: "button", title: "The first move of a shortest solution", onclick: () => void solve(true) }, "Hint");

  const goal = () => Array.from({ length: rows * cols }, (_, cell) => (last ? (cell + 1) % (rows * cols) : cell));
  const size = () => ({ rows, cols, goal: last ? "blank-last" : "blank-first", metric });
  const position = (cell: number) => `translate(${(cell % cols) * SIZE}px,${Math.floor(cell / cols) * SIZE}px)`;

  function keep() {
    remember("tiles", {
      rows, cols, tiles: input.value.trim().replace(/[\s,]+/g, "."), goal: last ? "" : "first",
      heuristic, metric: metric === "single" ? "" : metric, want: wanted === "shortest" ? "" : wanted,
    });
  }

  function changed() {
    search.forget();
    search.clear();
    player?.pause();
    player = undefined;
    solution.replaceChildren();
  }

  // The drawn tiles, by number.
  const drawn = new Map<number, SVGGElement>();
  function draw() {
    board.setAttribute("viewBox", `-3 -3 ${cols * SIZE + 6} ${rows * SIZE + 6}`);
    board.style.maxWidth = `${cols * 92}px`;
    drawn.clear();
    const home = goal();
    const groups = tiles.map((tile, cell) => {
      if (tile === 0) return null;
      const group = svg("g", {
        class: `tile${home[cell] === tile ? " home" : ""}`, style: `transform:${position(cell)}`,
        onpointerdown: (event: PointerEvent) => drag(tile, event),
      }, svg("rect", { x: 3, y: 3, width: SIZE - 6, height: SIZE - 6, rx: 10 }),
      svg("text", { x: SIZE / 2, y: SIZE / 2 + 10 }, String(tile)),
      svg("text", { class: "distance", x: SIZE - 11, y: 20 }));
      drawn.set(tile, group);
      return group;
    });
    board.replaceChildren(
      svg("rect", { class: "tray", x: -3, y: -3, width: cols * SIZE + 6, height: rows * SIZE + 6, rx: 14 }),
      ...groups.filter((group) => group !== null));
    label();
  }

  function label() {
    for (const [tile, group] of drawn) {
      const cell = tiles.indexOf(tile);
      const distance = explained?.distances[cell];
      group.querySelector(".distance")!.textContent = distance ? String(distance) : "";
      const why = explained?.reasons.some((reason) => reason.tiles.includes(tile)) ?? false;
      group.classList.toggle("why", why);
    }
  }

  /** Moves the tiles to the places of another board. */
  function place(after: number[], milliseconds: number) {
    tiles = after;
    const home = goal();
    after.forEach((tile, cell) => {
      const group = drawn.get(tile);
      if (!group) return;
      group.style.transition = still.matches || milliseconds === 0 ? "none" : `transform ${milliseconds}ms ease-in-out`;
      group.style.transform = position(cell);
      group.classList.toggle("home", home[cell] === tile);
    });
    label();
  }

  /** The tiles after the blank has moved, by one cell (`L`) or more (`L2`), if it stays on the board. */
  function moved(from: number[], move: string): number[] | undefined {
    const [down, right] = STEPS[move[0]!]!;
    const after = [...from];
    for (let more = Number(move.slice(1)) || 1; more > 0; more -= 1) {
      const blank = after.indexOf(0);
      const [row, col] = [Math.floor(blank / cols) + down, (blank % cols) + right];
      if (row < 0 || row >= rows || col < 0 || col >= cols) return undefined;
      [after[blank], after[row * cols + col]] = [after[row * cols + col]!, 0];
    }
    return after;
  }

  /** The moves of the blank: with more than one tile at once, to any cell of its row and column. */
  const reaches = () => Object.keys(STEPS).flatMap((step) =>
    (metric === "single" ? [step] : Array.from({ length: MOST_SIDE - 1 }, (_, more) => `${step}${more + 1}`)));

  function write(after: number[]) {
    input.value = after.join(" ");
    void read(false);
  }

  function slide(move: string): boolean {
    const after = moved(tiles, move);
    if (!after) return false;
    changed();
    place(after, 120);
    write(after);
    return true;
  }

  /** A clicked tile slides towards the blank; a dragged tile changes places with another. */
  function drag(tile: number, start: PointerEvent) {
    const group = drawn.get(tile)!;
    const scale = () => (cols * SIZE + 6) / board.getBoundingClientRect().width;
    const from = tiles.indexOf(tile);
    let [dx, dy] = [0, 0];
    start.preventDefault();
    board.focus({ preventScroll: true });
    group.setPointerCapture(start.pointerId);
    group.parentNode!.append(group);
    const move = (event: PointerEvent) => {
      [dx, dy] = [(event.clientX - start.clientX) * scale(), (event.clientY - start.clientY) * scale()];
      group.style.transition = "none";
      group.style.transform = `translate(${(from % cols) * SIZE + dx}px,${Math.floor(from / cols) * SIZE + dy}px)`;
    };
    const end = () => {
      group.removeEventListener("pointermove", move);
      group.removeEventListener("pointerup", end);
      group.removeEventListener("pointercancel", end);
      const [col, row] = [Math.round((from % cols) + dx / SIZE), Math.round(Math.floor(from / cols) + dy / SIZE)];
      const inside = row >= 0 && row < rows && col >= 0 && col < cols;
      const to = inside ? row * cols + col : from;
      const after = [...tiles];
      if (Math.hypot(dx, dy) < 8) {
        const found = reaches().find((move) => moved(tiles, move)?.[from] === 0);
        if (found) slide(found);
        else place(after, 120);
      } else {
        [after[from], after[to]] = [after[to]!, after[from]!];
        changed();
        place(after, 120);
        write(after);
      }
    };
    group.addEventListener("pointermove", move);
    group.addEventListener("pointerup", end);
    group.addEventListener("pointercancel", end);
  }

  function blame(found: Fault[]) {
    faults.replaceChildren(...found.map((fault) => el("li", {}, fault.message)));
    const cells = found.flatMap((fault) => fault.at);
    for (const [tile, group] of drawn) group.classList.toggle("wrong", cells.some((cell) => tiles[cell] === tile));
    go.disabled = hint.disabled = !legal;
  }

  let reading = 0;
  async function read(redraw = true) {
    changed();
    keep();
    const now = ++reading;
    const numbers = input.value.trim().split(/[\s,]+/).filter(Boolean).map(Number);
    try {
      const text = input.value;
      await quick.ask("tiles.read", { text, ...size() });
      // The parts of the heuristic are moves of single tiles.
      explained = metric === "single" ? await quick.ask("tiles.explain", { text, ...size() }) : undefined;
      if (now !== reading) return;
      legal = true;
    } catch (error) {
      if (now !== reading) return;
      legal = false;
      explained = undefined;
      const found = error instanceof Refused ? error.faults : [{ message: String(error), at: [] }];
      const whole = numbers.length === rows * cols && new Set(numbers).size === numbers.length;
      if (whole && numbers.every((tile) => tile >= 0 && tile < rows * cols)) {
        tiles = numbers;
        if (redraw) draw();
      }
      label();
      blame(found);
      takeApart();
      return;
    }
    tiles = numbers;
    if (redraw) draw();
    label();
    blame([]);
    takeApart();
  }

  function takeApart() {
    if (!explained || explained.value === 0) {
      parts.replaceChildren();
      return;
    }
    const { manhattan, reasons, value } = explained;
    const light = (lit: number[]) => () => {
      for (const [tile, group] of drawn) group.classList.toggle("lit", lit.includes(tile));
    };
    const row = (moves: string, why: string, lit: number[]) => el("li", {}, el("button", {
      type: "button", className: "part", onmouseenter: light(lit), onmouseleave: light([]), onfocus: light(lit), onblur: light([]),
      onclick: light(lit),
    }, el("b", {}, moves), ` ${why}`));
    const far = tiles.filter((tile, cell) => tile !== 0 && explained!.distances[cell]! > 0);
    parts.replaceChildren(el("h2", {}, `At least ${value} moves`), el("ul", {},
      row(String(manhattan), "Manhattan distance: the small numbers on the board", far),
      ...reasons.map((reason) => row(`+${reason.moves}`, reason.why, reason.tiles))));
  }

  /** Shows a solution, or the first move of a shortest one. */
  async function solve(isHint = false) {
    await read();
    if (!legal) return;
    const start = tiles;
    const request = { text: start.join(" "), ...size(), heuristic, quick: wanted === "quick" && !isHint };
    await search.run("tiles.solve", request, (found) => show(found, start), isHint);
  }

  function show([found]: Solution[], start: number[]) {
    const moves = found?.moves.match(/[LURD]\d*/g) ?? [];
    if (moves.length === 0) return;
    const positions = moves.reduce((list, move) => [...list, moved(list.at(-1)!, move)!], [start]);
    const words = moves.map((_, at) => String(positions[at]![positions[at + 1]!.indexOf(0)]));
    player?.pause();
    player = new Player(words, {
      stage: board,
      show: (step) => still_place(positions[step]!, 0),
      move: async (step, back, milliseconds) => {
        still_place(positions[back ? step : step + 1]!, milliseconds * 0.8);
        await new Promise((resolve) => setTimeout(resolve, milliseconds));
      },
    });
    const which = metric === "single" ? "The tiles to slide, in order:" : "The tiles to slide, in order, each with those between it and the blank:";
    solution.replaceChildren(el("p", { className: "hint" }, which), player.element);
  }

  /** Like `place`, but without the values of the heuristic, which are those of the start. */
  function still_place(after: number[], milliseconds: number) {
    const before = explained;
    explained = undefined;
    place(after, milliseconds);
    explained = before;
  }

  const resize = () => {
    const fits = input.value.trim().split(/[\s,]+/).length === rows * cols;
    if (!fits) input.value = goal().join(" ");
    tiles = goal();
    draw();
    void read();
  };
  const sides = (value: number, set: (value: number) => void, label: string) => choice(label,
    Array.from({ length: MOST_SIDE - 1 }, (_, at): [string, string] => [String(at + 2), String(at + 2)]), String(value), (chosen) => {
      set(Number(chosen));
      resize();
    });
  const random = async () => {
    const drawnTiles = await quick.ask("tiles.random", { seed: seed(), ...size() });
    input.value = drawnTiles.tiles.join(" ");
    await read();
  };

  const element = el("div", { className: "view" },
    el("h1", {}, "Sliding tiles"),
    el("p", { className: "lead" }, "Finds a shortest solution, and proves that none is shorter; of a large board a good one, with the least number of moves that is proved."),
    el("div", { className: "columns stacked" },
      el("section", { className: "card board unfold", ariaLabel: "Board" }, board,
        el("p", { className: "hint" }, "Click a tile next to the blank to slide it; drag a tile onto another to swap them."), parts),
      el("div", { className: "side" },
        el("section", { className: "card asks", ariaLabel: "Position" },
          el("label", { className: "field wide", htmlFor: "tiles-text" }, el("span", {}, "Tiles by rows, 0 for the blank"), input),
          faults,
          el("div", { className: "row" }, go, hint,
            el("button", { type: "button", onclick: () => void random() }, "Random"),
            el("button", { type: "button", onclick: () => { input.value = goal().join(" "); void read(); } }, "Goal")),
          el("div", { className: "row options" },
            sides(rows, (value) => { rows = value; }, "Rows"), sides(cols, (value) => { cols = value; }, "Columns"),
            choice("Goal", [["last", "blank last"], ["first", "blank first"]], last ? "last" : "first", (value) => {
              last = value === "last";
              void read();
            }),
            choice("A move slides", METRICS, metric, (value) => {
              metric = value;
              void read();
            }),
            choice("Solution", ANSWERS, wanted, (value) => {
              wanted = value;
              changed();
              keep();
            }),
            choice("Heuristic", HEURISTICS, heuristic, (value) => {
              heuristic = value;
              changed();
              keep();
            }))),
        el("section", { className: "card answer", ariaLabel: "Solution" }, search.element, solution))));

  tiles = goal();
  const given = (state.get("tiles") ?? "").replaceAll(".", " ");
  input.value = given || tiles.join(" ");
  draw();
  void read();
  return {
    title: "Sliding tiles",
    element,
    leave() {
      player?.pause();
      quick.stop();
      solver.stop();
    },
  };
}
