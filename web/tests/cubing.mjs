// Compares the solvers with cubing.js: each puzzle that it exports as a KPuzzle is read, random algorithms lead to the
// same patterns in both, and cubing.js replays solutions. `npm run cubing`, after the build.
import assert from "node:assert/strict";
import { Alg } from "cubing/alg";
import { KPuzzle } from "cubing/kpuzzle";
import { puzzles } from "cubing/puzzles";
import { MODULE, solvers } from "./solvers.mjs";

/** The algorithms of a puzzle, in groups that are compared together. */
const ALGORITHMS = 1000;
const GROUP = 250;
/** The processor seconds that all comparisons may take. */
const LIMIT = 120;
/** The scrambles that are solved, and their moves. */
const SOLVED = 3;
const MOVES = 3;
/** A search takes at most 64 counted moves. */
const MOST_COUNTED = 64;

/** A generator of numbers below a limit, the same at each run (xorshift). */
function generator(state) {
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const AMOUNTS = ["", "'", "2", "2'", "3", "3'"];

const seconds = () => process.cpuUsage().user / 1e6;

/** A random algorithm: moves with amounts, groups, conjugates and commutators. A name that ends in a digit has none. */
function algorithm(names, draw, depth = 0) {
  const part = () => {
    const kind = depth < 2 ? draw(8) : 7;
    const inner = () => algorithm(names, draw, depth + 1);
    if (kind === 0) return `(${inner()})${AMOUNTS[draw(AMOUNTS.length)]}`;
    if (kind === 1) return `[${inner()}, ${inner()}]`;
    if (kind === 2) return `[${inner()}: ${inner()}]`;
    const name = names[draw(names.length)];
    return /\d$/.test(name) ? name : name + AMOUNTS[draw(AMOUNTS.length)];
  };
  return Array.from({ length: 1 + draw(depth === 0 ? 6 : 3) }, part).join(" ");
}

/**
 * The pieces and orientations of each orbit. An orientation counts up to the modulus of its piece; cubing.js leaves it
 * negative after moves with negative deltas.
 */
function essence(definition, pattern) {
  return definition.orbits.map(({ orbitName, numOrientations }) => {
    const { pieces, orientation, orientationMod } = pattern[orbitName];
    const modulus = (place) => orientationMod?.[place] || numOrientations;
    return { pieces, orientation: orientation.map((turn, place) => (turn % modulus(place) + modulus(place)) % modulus(place)) };
  });
}

const ask = await solvers(process.argv[2] ?? MODULE);
let [read, compared, solved] = [0, 0, 0];
for (const [id, loader] of Object.entries(puzzles)) {
  const { definition } = await loader.kpuzzle();
  // From the definition alone: the loaded puzzle also has a notation, which refuses some of its own moves.
  const kpuzzle = new KPuzzle(definition);
  const source = { definition: JSON.stringify(definition) };
  const names = [...Object.keys(definition.moves), ...Object.keys(definition.derivedMoves ?? {})];
  const about = ask({ do: "puzzle.read", ...source, text: "" });
  assert.deepEqual(about.faults, [], id);
  read += 1;

  const draw = generator(20261128);
  const begun = seconds();
  const start = kpuzzle.defaultPattern();
  for (let done = 0; done < ALGORITHMS; done += GROUP) {
    assert.ok(seconds() < LIMIT, `${id}: not finished within ${LIMIT} s`);
    const texts = Array.from({ length: GROUP }, () => algorithm(names, draw));
    const ours = ask({ do: "puzzle.patterns", ...source, texts });
    texts.forEach((text, at) => {
      const theirs = start.applyAlg(new Alg(text)).patternData;
      assert.deepEqual(essence(definition, JSON.parse(ours[at])), essence(definition, theirs), `${id}: ${text}`);
    });
  }
  compared += ALGORITHMS;

  let replayed = 0;
  while (about.moves.length <= MOST_COUNTED && replayed < SOLVED) {
    const scramble = Array.from({ length: MOVES }, () => about.moves[draw(about.moves.length)]).join(" ");
    const found = ask({ do: "puzzle.solve", ...source, text: scramble, memory: 1 << 20 });
    assert.ok(found.ending === "optimal" && found.length <= MOVES, `${id}: ${scramble}`);
    const end = start.applyAlg(new Alg(scramble)).applyAlg(new Alg(found.solutions[0].moves));
    assert.deepEqual(essence(definition, end.patternData), essence(definition, start.patternData), `${id}: ${scramble}`);
    replayed += 1;
  }
  solved += replayed;
  console.log(`ok   ${id}: ${ALGORITHMS} algorithms, ${replayed} solutions (${(seconds() - begun).toFixed(1)} s)`);
}
console.log(`${read} puzzles of cubing.js were read, ${compared} algorithms compared, ${solved} solutions replayed`);
