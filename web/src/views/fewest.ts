// Fewest moves: a skeleton built step by step on the scramble and on its inverse (NISS), insertions into it, and the
// proved optimum to compare with.
//
// N are the moves on the scramble S, I those on its inverse. The next moves on the scramble solve the cube after I' S N,
// those on the inverse the cube after N' S' I; the solution is N I'. An insertion is made into the moves of N I', of which
// none are joined, so it belongs to one of the two sides.
import { remember } from "../address";
import { DOCS, choice, countMoves, el, randomMoves, reveal } from "../dom";
import type { View } from "../main";
import { type Insertions, Refused, type Solution, Solver, Stopped } from "optimal-puzzles";
import { SOLVED, undone } from "../parts/facelets";
import { played } from "../parts/played";
import type { Player } from "../parts/player";
import { Search } from "../parts/search";
import { Solid } from "../parts/solid";

type Side = "scramble" | "inverse";

interface Step {
  name: string;
  /** The side; of an insertion, the number of moves before it. */
  at: Side | number;
  moves: string;
}

/** The steps: the name, the goal of the search, a title. The axis of a goal is any. */
const GOALS: [string, Record<string, string>, string][] = [
  ["EO", { goal: "eo", bottom: "any", front: "any" }, "All edges oriented along any axis"],
  ["DR", { goal: "dr", bottom: "any" }, "Domino reduction along any axis"],
  ["HTR", { goal: "htr" }, "Half-turn reduction"],
  ["FR", { goal: "fr", bottom: "any" }, "Floppy reduction along any axis"],
  ["Finish", {}, "The solved cube"],
];
/** The names of moves that are typed, and of insertions. */
const [OWN, INSERTION] = ["Moves", "Insertion"];
const LONGER: [string, string][] = [["0", "the shortest"], ["1", "one move more"], ["2", "two moves more"]];
const SIDES: [Side, string][] = [["scramble", "moves on the scramble"], ["inverse", "moves on the inverse"]];
/** The maximum number of candidates that are listed. */
const MOST = 200;

const words = (moves: string) => moves.split(" ").filter(Boolean);

/** The steps of the address: `EO.scramble.F+R~DR.inverse.U~Insertion.7.R+U`. Others are left out. */
function steps(text: string): Step[] {
  return text.split("~").flatMap((part): Step[] => {
    const [name = "", at = "", moves = ""] = part.split(".");
    if (!/^[URFDLB][2']?( [URFDLB][2']?)*$/.test(moves)) return [];
    if (name === INSERTION) return /^\d{1,3}$/.test(at) ? [{ name, at: Number(at), moves }] : [];
    const isStep = name === OWN || GOALS.some(([goal]) => goal === name);
    return isStep && (at === "scramble" || at === "inverse") ? [{ name, at, moves }] : [];
  });
}

/** The moves on the scramble, and the end of the solution: the moves that undo those on the inverse. */
function both(chosen: Step[]): [string[], string[]] {
  const [scramble, end]: [string[], string[]] = [[], []];
  for (const { at, moves } of chosen) {
    if (at === "scramble") scramble.push(...words(moves));
    else if (at === "inverse") end.unshift(...undone(words(moves)));
    else if (at <= scramble.length) scramble.splice(at, 0, ...words(moves));
    else end.splice(at - scramble.length, 0, ...words(moves));
  }
  return [scramble, end];
}

/** The pieces that are not solved: "3 corners and 2 edges". */
function pieces({ corners, edges }: { corners: number; edges: number }): string {
  const some = (count: number, one: string) => (count > 0 ? [`${count} ${one}${count > 1 ? "s" : ""}`] : []);
  return [...some(corners, "corner"), ...some(edges, "edge")].join(" and ") || "no piece";
}

export function fewestView(state: URLSearchParams): View {
  const [quick, solver] = [new Solver({ threads: 1, tables: false }), new Solver()];
  let chosen = steps(state.get("steps") ?? "");
  let longer = LONGER.some(([value]) => value === state.get("longer")) ? state.get("longer")! : "0";
  let shown: Side = state.get("show") === "inverse" ? "inverse" : "scramble";
  /** The scramble as turns of faces; undefined if it cannot be read. */
  let scramble: string | undefined;
  let player: Player | undefined;
  /** The length of the solution, once it is one, and the best known one. */
  let [length, known]: [number | undefined, Solution | undefined] = [undefined, undefined];
  let inserting = new AbortController();

  const solid = new Solid();
  const search = new Search(solver);
  const proof = new Search(solver, () => "A larger table (tab Cube, Speed) proves it much sooner");
  const faults = el("ul", { className: "faults", role: "alert" });
  const play = el("div", {});
  const list = el("ol", { className: "steps", ariaLabel: "Steps" });
  const total = el("p", { className: "total", role: "status" });
  const candidates = el("div", { className: "candidates" });
  const optimum = el("p", { className: "proof" });
  const field = (id: string, more: Record<string, unknown>) =>
    ({ id, spellcheck: false, autocapitalize: "off", autocomplete: "off", ...more });
  const input = el("textarea", field("fewest-text", {
    rows: 2, placeholder: "R' U' F …", value: state.get("text") ?? "", oninput: () => begin(),
  }));
  const own = el("input", field("fewest-own", {
    type: "text", placeholder: "R U (F D')", onkeydown: (event: KeyboardEvent) => { if (event.key === "Enter") void addOwn(); },
  }));

  /** The moves on a side. */
  const on = (side: Side) => {
    const [normal, end] = both(chosen);
    return side === "scramble" ? normal : undone(end);
  };
  /** The moves to the position from which the next moves on a side start. */
  const position = (side: Side) => {
    const [normal, end] = both(chosen);
    const moves = [...end, ...words(scramble!), ...normal];
    return side === "scramble" ? moves.join(" ") : undone(moves).join(" ");
  };
  /** The cube after these moves. */
  const read = (text: string) => (text ? quick.ask("cube.read", { text }) : Promise.resolve({ facelets: SOLVED, turns: "", joined: "" }));
  const blame = (error: unknown) => {
    const found = error instanceof Refused ? error.faults.map(({ message }) => message) : [(error as Error).message];
    faults.replaceChildren(...found.map((fault) => el("li", {}, fault)));
  };

  const keep = () => remember("fewest", {
    text: input.value.trim(), steps: chosen.map(({ name, at, moves }) => `${name}.${at}.${moves}`).join("~"),
    longer: longer === "0" ? "" : longer, show: shown === "scramble" ? "" : shown,
  });

  /** Another scramble: nothing of the last one remains. */
  function begin() {
    [chosen, known] = [[], undefined];
    proof.forget();
    proof.clear();
    void update();
  }

  /** Adds steps, and shows the side of the last one. */
  async function add(...more: Step[]) {
    chosen = [...chosen, ...more];
    const at = more.at(-1)!.at;
    const before = both(chosen.slice(0, -1))[0].length;
    shown = typeof at === "number" ? (at <= before ? "scramble" : "inverse") : at;
    sides.select.value = shown;
    await update();
    reveal(total);
  }

  async function addOwn() {
    try {
      const given = await quick.ask("cube.sides", { text: own.value });
      const typed = SIDES.flatMap(([side]): Step[] => (given[side] ? [{ name: OWN!, at: side, moves: given[side] }] : []));
      if (typed.length === 0) return;
      own.value = "";
      await add(...typed);
    } catch (error) {
      blame(error);
    }
  }

  let updates = 0;
  async function update() {
    const now = ++updates;
    keep();
    inserting.abort();
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
      blame(error);
    }
    for (const button of [...goals, insert, adds, prove]) button.disabled = !scramble;
    list.replaceChildren(...chosen.map(({ name, at, moves }, place) => el("li", {},
      el("b", {}, name), ` ${typeof at === "number" ? `after ${at}: ${moves}` : at === "inverse" ? `(${moves})` : moves} `,
      el("button", {
        type: "button", className: "quiet", title: "Remove this step and those after it", ariaLabel: `Remove step ${place + 1}`,
        onclick: () => {
          chosen = chosen.slice(0, place);
          void update();
        },
      }, "✕"))));
    await summary(now);
    await animate(now);
  }

  /** The whole solution with turns of one face joined, or the skeleton and the pieces that it leaves. */
  async function summary(now: number) {
    [total.textContent, length] = ["", undefined];
    compare();
    if (!scramble || chosen.length === 0) return;
    const solution = both(chosen).flat().join(" ");
    const [whole, end] = await Promise.all([read(solution), read(`${scramble} ${solution}`)]);
    if (now !== updates) return;
    const count = words(whole.joined ?? "").length;
    const isSolved = end.facelets === SOLVED;
    if (isSolved) length = count;
    total.textContent = isSolved
      ? `Solution of ${countMoves(count)}: ${whole.joined}`
      : `Skeleton of ${countMoves(count)}, to be continued.`;
    compare();
  }

  /** The best known solution beside the one that was built. */
  function compare() {
    const beside = length === undefined || !known ? "" : ` Yours has ${length === known.length ? "as many" : `${length - known.length} more`}.`;
    optimum.textContent = known ? `The shortest known solution has ${countMoves(known.length)}: ${known.moves}.${beside}` : "";
  }

  /** Plays the moves of one side from the scramble, or from its inverse. */
  async function animate(now: number) {
    player?.pause();
    play.replaceChildren();
    if (!scramble) return;
    const start = shown === "scramble" ? scramble : undone(words(scramble)).join(" ");
    const [{ facelets }, { joined }] = await Promise.all([read(start), read(on(shown).join(" "))]);
    if (now !== updates) return;
    player = played(solid, facelets, words(joined ?? ""));
    play.replaceChildren(player.element);
  }

  /** Lists the candidates of a step on both sides. */
  async function look(goal: string, request: Record<string, string>) {
    const now = updates;
    inserting.abort();
    candidates.replaceChildren();
    for (const [side, title] of SIDES) {
      const { facelets } = await read(position(side));
      if (now !== updates) return;
      search.forget();
      await search.run("cube.solve", { facelets, ...request, all: true, extra: Number(longer) }, (found) => {
        if (now !== updates) return;
        const isDone = found.some(({ moves }) => moves === "");
        const lines = found.filter(({ moves }) => moves !== "").map(({ length, moves }): [string, () => void] =>
          [`${length}  ${moves}`, () => void add({ name: goal, at: side, moves })]);
        offer(side, `${goal}: ${title.replace("moves ", "")}`, lines, isDone ? "Already reached." : undefined);
      });
      if (now !== updates) return;
    }
    reveal(candidates);
  }

  /** Lists candidates, each with its action, or a remark instead. */
  function offer(id: string, heading: string, lines: [string, () => void][], instead?: string) {
    const more = lines.length > MOST ? [el("p", { className: "hint" }, `The first ${MOST} of ${lines.length} are listed.`)] : [];
    const section = el("section", { ariaLabel: heading, id: `fewest-${id}` }, el("h2", {}, heading),
      instead ? el("p", {}, instead) : el("ol", { className: "all" }, ...lines.slice(0, MOST).map(([text, onclick]) =>
        el("li", {}, el("button", { type: "button", className: "line", onclick }, text)))), ...more);
    candidates.querySelector(`#fewest-${id}`)?.remove();
    candidates.append(section);
  }

  /** Lists the best insertions into the moves so far. */
  async function lookForInsertions() {
    const now = updates;
    inserting.abort();
    inserting = new AbortController();
    const { signal } = inserting;
    search.forget();
    search.clear();
    candidates.replaceChildren(el("p", { className: "status", role: "status" }, "Looking for insertions…"));
    try {
      const { facelets } = await read(scramble!);
      const request = { facelets, skeleton: both(chosen).flat().join(" "), count: MOST };
      const found = await solver.ask("cube.insert", request, { signal });
      if (now !== updates) return;
      candidates.replaceChildren(el("p", { className: "status", role: "status" }, `The skeleton leaves ${pieces(found)} unsolved.`));
      offer("solved", "Best solutions by one or two insertions", found.solved.map(line), found.solved.length > 0 ? undefined : "None of at most ten moves each.");
      if (found.steps.length > 0) offer("steps", "Single insertions that leave less", found.steps.map(line));
      reveal(candidates);
    } catch (error) {
      if (signal.aborted || error instanceof Stopped || now !== updates) return;
      const found = error instanceof Refused ? error.faults.map(({ message }) => message) : [(error as Error).message];
      candidates.replaceChildren(...found.map((fault) => el("p", { className: "fault", role: "alert" }, fault)));
    }
  }

  /** A line of the list of insertions, and its action. */
  function line(found: Insertions["solved"][number]): [string, () => void] {
    const parts = found.insertions.map(({ after, shown: text, saved }) => `after ${after}: ${text}${saved > 0 ? `, ${saved} saved` : ""}`);
    const left = found.corners + found.edges > 0 ? `; leaves ${pieces(found)}` : "";
    const more = found.insertions.map(({ after, moves }): Step => ({ name: INSERTION!, at: after, moves }));
    return [`${found.length}  ${parts.join("; then ")}${left}`, () => void add(...more)];
  }

  const goals = GOALS.map(([name, request, title]) => el("button", {
    type: "button", title, disabled: true, onclick: () => void look(name, request),
  }, name));
  const insert = el("button", {
    type: "button", title: "The best insertions into the skeleton", disabled: true, onclick: () => void lookForInsertions(),
  }, "Insert");
  const adds = el("button", { type: "button", disabled: true, onclick: () => void addOwn() }, "Add");
  const prove = el("button", {
    type: "button", disabled: true,
    onclick: async () => {
      if (!scramble) return;
      const { facelets } = await read(scramble);
      await proof.run("cube.solve", { facelets }, ([best]) => {
        known = best;
        compare();
      });
    },
  }, "Prove the optimum");
  const sides = choice<Side>("Show", SIDES, shown, (value) => {
    shown = value;
    keep();
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
    el("div", { className: "columns stacked" },
      el("div", { className: "side" },
        el("section", { className: "card asks", ariaLabel: "Scramble" },
          el("label", { className: "field wide", htmlFor: "fewest-text" }, el("span", {}, "Scramble"), input),
          faults,
          el("div", { className: "row" }, ...goals, insert, lengths),
          el("div", { className: "row" },
            el("label", { className: "field", htmlFor: "fewest-own" }, el("span", {}, "Moves of your own; ( ) on the inverse"), own), adds),
          list, total, el("div", { className: "row" }, prove, random),
          optimum, proof.element,
          el("details", { className: "help" }, el("summary", {}, "Help"),
            el("p", {}, "EO orients the edges along an axis, DR leads to the domino reduction, HTR to the half-turn reduction, FR to the floppy reduction, Finish to the solved cube; any may be left out. Moves on the inverse are shown in ( ), and end the solution, in reverse."),
            el("p", {}, "Insert completes a skeleton that leaves at most eight pieces unsolved, such as three or five corners: by one or two insertions of at most ten moves, each of which moves up to five corners, up to five edges, or two corners and two edges. The number after “after” is that of the moves before an insertion; moves are saved where turns of one face meet."),
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
      inserting.abort();
      quick.stop();
      solver.stop();
    },
  };
}
