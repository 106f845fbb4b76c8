/**
 * Provably shortest solutions of Rubik's cube, sliding tiles, Towers of Hanoi and any permutation puzzle.
 *
 * ```ts
 * import { cube } from "optimal-puzzles";
 *
 * const { best, proved } = await cube.solve("R U R' U' F2");
 * for await (const { lower, best } of cube.solve("R U R' F2 D L' B2 U2")) console.log(lower, best?.moves);
 * ```
 *
 * The functions run in a worker that the first call starts. Calls wait for each other; a {@link Solver} of your own has
 * a worker of its own.
 *
 * @module
 */
import type { About, Answers, Counted, Explained, Insertions, Order } from "./protocol.js";
import { Search, type SearchOptions } from "./search.js";
import { type RequestOptions, Solver, type SolverOptions } from "./solver.js";

export { type Addresses, addresses } from "./addresses.js";
export { type Threading, threading } from "./threading.js";
export type * from "./protocol.js";
export { type Answer as SearchAnswer, type Checkpoint, Search, type SearchOptions, type Step } from "./search.js";
export { onThreads, Refused, type RequestOptions, Solver, type SolverOptions, Stopped } from "./solver.js";

/** A seed of at most 53 bits. */
const seeded = (seed?: number) => seed ?? Math.floor(Math.random() * 2 ** 53);

/** The options of a search that are fields of the request, under the names that it has there. */
function fields<T extends SearchOptions>({ all, extra, quick, memory, timeLimit, resume, signal, ...rest }: T) {
  void [all, extra, quick, memory, timeLimit, resume, signal];
  return rest;
}

/** The settings of a search for a cube; each as the option of `cube-opt solve` with this name. */
export interface CubeOptions extends SearchOptions {
  /** `htm` (half turns, the default), `qtm` (quarter turns), `stm` (slices). */
  metric?: string;
  /** The heuristic: one of those that {@link Cubes.tables} lists. By default the one with the largest stored table that the
   * addresses in use reach, else `square-0`, whose table of 30 MB is built in seconds. */
  heuristic?: string;
  /** The moves that are allowed: `U R M`. */
  moves?: string;
  /** A goal that leaves something open: `cross`; or several, of which any will do: `222,roux1`. */
  goal?: string;
  /** The face in the place of D, for the goal; `D,U` or `any` for the best of several. */
  bottom?: string;
  /** The face in the place of F, for a goal that depends on it; also a list or `any`. */
  front?: string;
  /** Whether to accept the goal up to a final turn of the top. */
  auf?: boolean;
  /** The first moves of every solution; moves in brackets are on the inverse scramble. */
  pre?: string;
  /** The last moves. */
  post?: string;
  /** The number of moves of a solution that are written on the inverse scramble. */
  niss?: number;
}

/** Rubik's cube. */
export class Cubes {
  constructor(private readonly solver: Solver) {}

  /** Reads moves or 54 facelets: the facelets, held with U up and F in front, and the turns. */
  read(text: string, options?: RequestOptions): Promise<Answers["cube.read"]> {
    return this.solver.ask("cube.read", { text }, options);
  }

  /** The 54 facelets of a random cube, each equally likely; the same for the same seed. */
  random(seed?: number, options?: RequestOptions): Promise<string> {
    return this.solver.ask("cube.random", { seed: seeded(seed) }, options);
  }

  /** The heuristics that can be used here, with the bytes of their tables, the bits of the addresses that reach these,
   * and whether they are stored. */
  async tables(options?: RequestOptions): Promise<Answers["cube.tables"]> {
    const all = await this.solver.ask("cube.tables", {}, options);
    return all.filter(({ addresses }) => addresses <= this.solver.widest);
  }

  /** Searches for a shortest solution of moves or 54 facelets. */
  solve(text: string, options: CubeOptions = {}): Search {
    return new Search(async (request, wish) => {
      const { facelets } = await this.read(text, { signal: request.signal });
      return this.solver.ask("cube.solve", { facelets, ...fields(options), ...wish }, request);
    }, options);
  }

  /** The best insertions into a skeleton that leaves at most eight pieces unsolved; its moves in ( ) are on the inverse. */
  async insertions(text: string, skeleton: string, count = 10, options?: RequestOptions): Promise<Insertions> {
    const { facelets } = await this.read(text, options);
    return this.solver.ask("cube.insert", { facelets, skeleton, count }, options);
  }
}

/** A board, its goal and its metric. */
export interface BoardOptions {
  /** Rows and columns; by default those of the square board with this many cells. */
  rows?: number;
  cols?: number;
  /** `blank-first` (the default), `blank-last`, `spiral`, or a list of tiles. */
  goal?: string;
  /** `single` (the default), or `multi`: any number of tiles of a row or column slide as one move. */
  metric?: string;
}

/** The settings of a search for a board. */
export interface TilesOptions extends SearchOptions, BoardOptions {
  /** The heuristic, as `tile24 --heuristic`; by default the one that solves the board soonest. */
  heuristic?: string;
}

/** Tiles by rows, 0 for the blank: a list, or a text in any of the forms that `tile24` reads. */
export type Board = string | readonly number[];

const board = (tiles: Board) => (typeof tiles === "string" ? tiles : tiles.join(" "));

/** Sliding tiles. */
export class Tiles {
  constructor(private readonly solver: Solver) {}

  /** Reads a board. */
  read(tiles: Board, size: BoardOptions = {}, options?: RequestOptions): Promise<{ tiles: number[] }> {
    return this.solver.ask("tiles.read", { text: board(tiles), ...size }, options);
  }

  /** A random board that can be solved, each equally likely; the same for the same seed. */
  random(rows: number, cols: number, seed?: number, options?: RequestOptions): Promise<{ tiles: number[] }> {
    return this.solver.ask("tiles.random", { rows, cols, seed: seeded(seed) }, options);
  }

  /** The parts of the lower bound of Korf & Taylor (1996). */
  explain(tiles: Board, size: BoardOptions = {}, options?: RequestOptions): Promise<Explained> {
    return this.solver.ask("tiles.explain", { text: board(tiles), ...size }, options);
  }

  /** Searches for a shortest solution; its moves are those of the blank. */
  solve(tiles: Board, options: TilesOptions = {}): Search {
    return new Search(
      (request, wish) => this.solver.ask("tiles.solve", { text: board(tiles), ...fields(options), ...wish }, request),
      options,
    );
  }
}

/** Two states of a Tower of Hanoi: the peg of each disc, or the discs of each peg, as `hanoi4` reads them. */
export interface Towers {
  discs: number;
  /** 3 or 4, the default. */
  pegs?: number;
  from: string;
  to: string;
}

const towers = ({ discs, pegs = 4, from, to }: Towers) => ({ discs, pegs, from, to });

/** Towers of Hanoi with three or four pegs. */
export class Hanoi {
  constructor(private readonly solver: Solver) {}

  /** Reads two states; the answer has the length that is presumed shortest between two pegs. */
  read(ends: Towers, options?: RequestOptions): Promise<{ presumed: number }> {
    return this.solver.ask("towers.read", towers(ends), options);
  }

  /** A random state, each equally likely; the same for the same seed. */
  random(discs: number, pegs = 4, seed?: number, options?: RequestOptions): Promise<string> {
    return this.solver.ask("towers.random", { discs, pegs, seed: seeded(seed) }, options);
  }

  /** Searches for a shortest path. It takes no other settings than `timeLimit` and `signal`. */
  solve(ends: Towers, options: Pick<SearchOptions, "timeLimit" | "signal"> = {}): Search {
    return new Search((request) => this.solver.ask("towers.solve", towers(ends), request), options);
  }

  /** The number of states at each distance from all discs on one peg. */
  counts(discs: number, pegs = 4, options?: RequestOptions): Promise<{ states: number[]; seconds: number }> {
    return this.solver.ask("towers.counts", { discs, pegs }, options);
  }
}

/** A built-in puzzle by its name, or the text of a definition: KPuzzle JSON, `.tws`, `.def` or GAP. */
export type Puzzle = string | { definition: string } | object;

/** The choice of moves; each as the option of `puzzle-opt` with this name. */
export interface MovesOptions {
  /** The moves that count: `U,R,F`. */
  moves?: string;
  /** Which powers of a move count as one move. */
  metric?: string;
  /** The free rotations. */
  rotations?: string;
}

/** The settings of a search for a permutation puzzle. */
export interface PuzzleOptions extends SearchOptions, MovesOptions {
  /** The goal: the solved state by default. */
  goal?: {
    /** The states of which the nearest is to be reached, one per line. */
    states?: string;
    /** Places whose pieces do not matter: `EDGES CORNERS:0-3`. */
    ignored?: string;
    /** Places whose pieces may have any orientation. */
    unoriented?: string;
    /** Sets of places whose pieces are interchangeable. */
    alike?: string;
  };
}

function source(puzzle: Puzzle) {
  if (typeof puzzle === "string") return { puzzle };
  if ("definition" in puzzle && typeof puzzle.definition === "string") return { definition: puzzle.definition };
  // A KPuzzle definition as an object, as cubing.js has it.
  return { definition: JSON.stringify(puzzle) };
}

/** Any permutation puzzle. */
export class Puzzles {
  constructor(private readonly solver: Solver) {}

  /** The built-in puzzles. */
  builtins(options?: RequestOptions): Promise<Answers["puzzle.builtins"]> {
    return this.solver.ask("puzzle.builtins", {}, options);
  }

  /** Describes a puzzle; the faults of the state, if any, are in the answer. */
  read(puzzle: Puzzle, text = "", choice: MovesOptions = {}, options?: RequestOptions): Promise<About> {
    return this.solver.ask("puzzle.read", { ...source(puzzle), text, ...choice }, options);
  }

  /** Each state as a KPuzzle pattern. */
  patterns(puzzle: Puzzle, texts: string[], options?: RequestOptions): Promise<string[]> {
    return this.solver.ask("puzzle.patterns", { ...source(puzzle), texts }, options);
  }

  /** The order of the group; `null` for a puzzle with too many points, or rules that do not form shapes. */
  group(puzzle: Puzzle, choice: MovesOptions = {}, options?: RequestOptions): Promise<Order | null> {
    return this.solver.ask("puzzle.group", { ...source(puzzle), ...choice }, options);
  }

  /** A random state, the same for the same seed. */
  random(puzzle: Puzzle, seed?: number, options?: RequestOptions): Promise<Answers["puzzle.random"]> {
    return this.solver.ask("puzzle.random", { ...source(puzzle), seed: seeded(seed) }, options);
  }

  /** Searches for a shortest solution of moves, a pattern or a permutation. */
  solve(puzzle: Puzzle, text: string, options: PuzzleOptions = {}): Search {
    return new Search(
      (request, wish) => this.solver.ask("puzzle.solve", { ...source(puzzle), text, ...fields(options), ...wish }, request),
      options,
    );
  }

  /** Counts the positions at each depth, to the end or to a maximum depth, in at most 1 GiB. */
  count(puzzle: Puzzle, choice: MovesOptions & { maxDepth?: number; memory?: number } = {}, options?: RequestOptions): Promise<Counted> {
    const { maxDepth, ...rest } = choice;
    return this.solver.ask("puzzle.count", { ...source(puzzle), max_depth: maxDepth, ...rest }, options);
  }
}

/** All puzzles, by one worker. */
export interface All {
  solver: Solver;
  cube: Cubes;
  tiles: Tiles;
  hanoi: Hanoi;
  puzzle: Puzzles;
}

/** The puzzles by a worker of their own, with its settings. */
export function create(options?: SolverOptions): All {
  const solver = new Solver(options);
  return { solver, cube: new Cubes(solver), tiles: new Tiles(solver), hanoi: new Hanoi(solver), puzzle: new Puzzles(solver) };
}

const all = create();
/** Rubik's cube, by the common worker. */
export const cube: Cubes = all.cube;
/** Sliding tiles, by the common worker. */
export const tiles: Tiles = all.tiles;
/** Towers of Hanoi, by the common worker. */
export const hanoi: Hanoi = all.hanoi;
/** Any permutation puzzle, by the common worker. */
export const puzzle: Puzzles = all.puzzle;
/** Ends the common worker, with all its work. */
export const stop = (): void => all.solver.stop();
