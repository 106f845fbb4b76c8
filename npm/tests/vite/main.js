import { cube3x3x3 } from "cubing/puzzles";
import { TwistyPlayer } from "cubing/twisty";
import { create, cube, onThreads, puzzle, tiles } from "optimal-puzzles";

const SCRAMBLE = "R U R' F2 D L' B2 U2 R F' L D2 B";
let threads = 1;
onThreads(({ count }) => { threads = count; });

async function all() {
  const solved = await cube.solve(SCRAMBLE);
  const board = await tiles.solve("8 7 6 5 4 3 2 1 0");
  const builtin = await puzzle.solve("2x2x2", "R U R' F2");
  const kpuzzle = await cube3x3x3.kpuzzle();
  const by = await puzzle.solve(kpuzzle.definition, "R U F", { moves: "U,D,L,R,F,B" });
  const isWide = (await cube.tables()).some(({ addresses }) => addresses === 64);
  const by64 = isWide ? await wide() : undefined;
  // The player of cubing.js, at the end of our solution after the scramble.
  const player = new TwistyPlayer({ puzzle: "3x3x3", experimentalSetupAlg: SCRAMBLE, alg: solved.best.moves });
  player.jumpToEnd();
  const pattern = await player.experimentalModel.currentPattern.get();
  const played = pattern.experimentalIsSolved({ ignorePuzzleOrientation: false, ignoreCenterOrientation: true });
  return { cube: solved.lower, board: board.lower, builtin: builtin.lower, kpuzzle: by.lower, by64, played, threads };
}

/** The cube by the solvers with 64-bit addresses, for a table beyond the memory that is allowed. */
async function wide() {
  const { cube, solver } = create();
  const { facelets } = await cube.read(SCRAMBLE);
  const { length, heuristic, remark } = await solver.ask("cube.solve", { facelets, heuristic: "square-8", memory: 40_000_000 });
  solver.stop();
  return { length, heuristic, remark };
}

globalThis.done = await all().catch((error) => ({ error: String(error) }));
