// Fewest moves: a skeleton built step by step on the scramble and on its inverse (NISS), beside the proved optimum.
//
// N are the moves on the scramble S, I those on its inverse. The next moves on the scramble solve the cube after I' S N,
// those on the inverse the cube after N' S' I; the solution is N I'.
import { remember } from "../address";
import { DOCS, choice, countMoves, el, randomMoves } from "../dom";
import type { View } from "../main";
import { Refused, type Solution, Solver } from "optimal-puzzles";
import { SOLVED } from "../parts/facelets";
import { played } from "../parts/played";
import type { Player } from "../parts/player";
import { Search } from "../parts/search";
import { Solid } from "../parts/solid";

type Side = "scramble" | "inverse";

interface Step {
  goal: string;
  side: Side;
  moves: string;
}

/** The steps: the name, the goal of the search, a title. The axis of a goal is any. */
const GOALS: [string, Record<string, string>, string][] = [
  ["EO", { goal: "eo", bottom: "any", front: "any" }, "All edges oriented along any axis"],
  ["DR", { goal: "dr", bottom: "any" }, "Domino reduction along any axis"],
  ["HTR", { goal: "htr" }, "Half-turn reduction"],
  ["Finish", {}, "The solved cube"],
];
const LONGER: [string, string][] = [["0", "the shortest"], ["1", "one move more"], ["2", "two moves more"]];
/** The maximum number of candidates that are listed. */
const MOST = 200;

const words = (moves: string) => moves.split(" ").filter(Boolean);
const undone = (moves: string) => (moves ? `(${moves})'` : "");

/** The steps of the address: `EO.scramble.F+R~DR.inverse.U`. Others are left out. */
function steps(text: string): Step[] {
  return text.split("~").flatMap((part) => {
    const [goal = "", side = "", moves = ""] = part.split(".");
    const isStep = GOALS.some(([name]) => name === goal) && ["scramble", "inverse"].includes(side);
    return isStep && /^[URFDLB][2']?( [URFDLB][2']?)*$/.test(moves) ? [{ goal, side: side as Side, moves }] : [];
  });
}

export function fewestView(state: URLSearchParams): View {
  const [quick, solver] = [new Solver({ threads: 1, tables: false }), new Solver()];
  let chosen = steps(state.get("steps") ?? "");
  let longer = LONGER.some(([value]) => value === state.get("longer")) ? state.get("longer")! : "0";
  /** The scramble as turns of faces; undefined if it cannot be read. */
  let scramble: string | undefined;
  let player: Player | undefined;
  let shown: Side = "scramble";

  const solid = new Solid();
  const search = new Search(solver);
  const proof = new Search(solver, () => "A larger table (tab Cube, Speed) proves it much sooner");
  const faults = el("ul", { className: "faults", role: "alert" });
  const play = el("div", {});
  const list = el("ol", { className: "steps", ariaLabel: "Steps" });
  const total = el("p", { className: "total", role: "status" });
  const candidates = el("div", { className: "candidates" });
  const optimum = el("p", { className: "proof" });
  const input = el("textarea", {
    id: "fewest-text", rows: 2, spellcheck: false, autocapitalize: "off", autocomplete: "off",
    placeholder: "R' U' F …", value: state.get("text") ?? "", oninput: () => begin(),
  });

  const on = (side: Side) => chosen.filter((step) => step.side === side).map(({ moves }) => moves).join(" ");
  /** The moves to the position from which the next moves on a side start. */
  const position = (side: Side) => (side === "scramble"
    ? [undone(on("inverse")), scramble, on("scramble")]
    : [undone(on("scramble")), undone(scramble!), on("inverse")]).filter(Boolean).join(" ");
  /** The cube after these moves. */
  const read = (text: string) => (text ? quick.ask("cube.read", { text }) : Promise.resolve({ facelets: SOLVED, turns: "", joined: "" }));

  const keep = () => remember("fewest", {
    text: input.value.trim(), steps: chosen.map(({ goal, side, moves }) => `${goal}.${side}.${moves}`).join("~"),
    longer: longer === "0" ? "" : longer,
  });

  /** Another scramble: nothing of the last one remains. */
  function begin() {
    chosen = [];
    proof.forget();
    proof.clear();
    optimum.textContent = "";
    void update();
  }

  let updates = 0;
  async function update() {
    const now = ++updates;
    keep();
    search.forget();
    search.clear();
    candidates.replaceChildren();
    faults.replaceChildren();
    try {
      const given = await read(input.value.trim());
      if (now !== updates) return;
      scramble = given.turns ?? undefined;
      if (scramble === undefined) faults.replaceChildren(el("li", {}, "Facelets have no inverse scramble: give the moves of the scramble."));
    } catch (error) {
      if (now !== updates) return;
      scramble = undefined;
      const found = error instanceof Refused ? error.faults.map(({ message }) => message) : [String(error)];
      faults.replaceChildren(...found.map((fault) => el("li", {}, fault)));
    }
    for (const button of goals) button.disabled = !scramble;
    prove.disabled = !scramble;
    list.replaceChildren(...chosen.map((step, at) => el("li", {},
      el("b", {}, step.goal), ` ${step.side === "inverse" ? `(${step.moves})` : step.moves} `,
      el("button", {
        type: "button", className: "quiet", title: "Remove this step and those after it", ariaLabel: `Remove step ${at + 1}`,
        onclick: () => {
          chosen = chosen.slice(0, at);
          void update();
        },
      }, "✕"))));
    await summary(now);
    await animate(now);
  }

  /** The whole solution with turns of one face joined, or the skeleton. */
  async function summary(now: number) {
    total.textContent = "";
    if (!scramble || chosen.length === 0) return;
    const solution = [on("scramble"), undone(on("inverse"))].filter(Boolean).join(" ");
    const [whole, end] = await Promise.all([read(solution), read(`${scramble} ${solution}`)]);
    if (now !== updates) return;
    const count = words(whole.joined ?? "").length;
    total.textContent = end.facelets === SOLVED
      ? `Solution of ${countMoves(count)}: ${whole.joined}`
      : `Skeleton of ${countMoves(count)}, to be continued.`;
  }

  /** Plays the moves of one side from the scramble, or from its inverse. */
  async function animate(now: number) {
    player?.pause();
    play.replaceChildren();
    if (!scramble) return;
    const start = (await read(shown === "scramble" ? scramble : undone(scramble))).facelets;
    if (now !== updates) return;
    player = played(solid, start, words(on(shown)));
    play.replaceChildren(player.element);
  }

  /** Lists the candidates of a step on both sides. */
  async function look(goal: string, request: Record<string, string>) {
    const now = updates;
    candidates.replaceChildren();
    for (const side of ["scramble", "inverse"] as const) {
      const { facelets } = await read(position(side));
      if (now !== updates) return;
      search.forget();
      await search.run("cube.solve", { facelets, ...request, all: true, extra: Number(longer) }, (found) => {
        if (now === updates) offer(goal, side, found);
      });
      if (now !== updates) return;
    }
  }

  function offer(goal: string, side: Side, found: Solution[]) {
    const heading = side === "scramble" ? "On the scramble" : "On the inverse";
    const isDone = found.some(({ moves }) => moves === "");
    const lines = found.filter(({ moves }) => moves !== "").slice(0, MOST).map(({ length, moves }) => el("li", {}, el("button", {
      type: "button", className: "line",
      onclick: () => {
        chosen = [...chosen, { goal, side, moves }];
        shown = side;
        sides.select.value = side;
        void update();
      },
    }, `${length}  ${moves}`)));
    const more = found.length > MOST ? [el("p", { className: "hint" }, `The first ${MOST} of ${found.length} are listed.`)] : [];
    const section = el("section", { ariaLabel: heading, id: `fewest-${side}` }, el("h2", {}, `${goal}: ${heading.toLowerCase()}`),
      isDone ? el("p", {}, "Already reached.") : el("ol", { className: "all" }, ...lines), ...more);
    candidates.querySelector(`#fewest-${side}`)?.remove();
    candidates.append(section);
  }

  const goals = GOALS.map(([name, request, title]) => el("button", {
    type: "button", title, disabled: true, onclick: () => void look(name, request),
  }, name));
  const prove = el("button", {
    type: "button", disabled: true,
    onclick: async () => {
      if (!scramble) return;
      const { facelets } = await read(scramble);
      await proof.run("cube.solve", { facelets }, ([best]) => {
        optimum.textContent = best ? `The shortest known solution has ${countMoves(best.length)}: ${best.moves}` : "";
      });
    },
  }, "Prove the optimum");
  const sides = choice<Side>("Show", [["scramble", "moves on the scramble"], ["inverse", "moves on the inverse"]], shown, (value) => {
    shown = value;
    void animate(updates);
  });
  const lengths = choice("List", LONGER, longer, (value) => {
    longer = value;
    keep();
  });
  const random = el("button", {
    type: "button", title: "25 random turns",
    onclick: () => {
      input.value = randomMoves(25);
      begin();
    },
  }, "Random");

  const element = el("div", { className: "view" },
    el("h1", {}, "Fewest moves"),
    el("p", { className: "lead" }, "Build a solution step by step, on the scramble and on its inverse. Each step lists all shortest ways, and none is missed."),
    el("div", { className: "columns cube" },
      el("div", { className: "side" },
        el("section", { className: "card asks", ariaLabel: "Scramble" },
          el("label", { className: "field wide", htmlFor: "fewest-text" }, el("span", {}, "Scramble"), input),
          faults,
          el("div", { className: "row" }, ...goals, lengths),
          list, total, el("div", { className: "row" }, prove, random),
          optimum, proof.element,
          el("details", { className: "help" }, el("summary", {}, "Help"),
            el("p", {}, "EO orients the edges along an axis, DR leads to the domino reduction, HTR to the half-turn reduction, Finish to the solved cube; any may be left out. Moves on the inverse are shown in ( ), and end the solution, in reverse."),
            el("p", {}, el("a", { href: DOCS }, "Documentation")))),
        el("section", { className: "card board unfold", ariaLabel: "Cube" }, solid.element, el("div", { className: "row" }, sides), play)),
      el("div", { className: "side" },
        el("section", { className: "card answer", ariaLabel: "Candidates" }, search.element, candidates))));

  void update();
  return {
    title: "Fewest moves",
    element,
    leave() {
      player?.pause();
      quick.stop();
      solver.stop();
    },
  };
}
