// A cube as 54 facelets, the faces U R F D L B by rows, and the effect of turns on them. A facelet is a point in space:
// the cubie that it is on, each coordinate -1, 0 or 1, and the direction that it faces.

export type Vector = [number, number, number];

export interface Facelet {
  cubie: Vector;
  normal: Vector;
}

export const FACES = ["U", "R", "F", "D", "L", "B"] as const;
/** A cube on which only the centres are coloured. */
export const BARE = FACES.map((face) => `....${face}....`).join("");
export const SOLVED = FACES.map((face) => face.repeat(9)).join("");

/** Each face: its direction (x right, y up, z to the front), and the directions of its columns and rows. */
const AXES: Record<string, [Vector, Vector, Vector]> = {
  U: [[0, 1, 0], [1, 0, 0], [0, 0, 1]],
  R: [[1, 0, 0], [0, 0, -1], [0, -1, 0]],
  F: [[0, 0, 1], [1, 0, 0], [0, -1, 0]],
  D: [[0, -1, 0], [1, 0, 0], [0, 0, -1]],
  L: [[-1, 0, 0], [0, 0, 1], [0, -1, 0]],
  B: [[0, 0, -1], [-1, 0, 0], [0, -1, 0]],
};

const sum = (...vectors: Vector[]): Vector => [0, 1, 2].map((i) => vectors.reduce((s, v) => s + v[i]!, 0)) as Vector;
const times = (factor: number, vector: Vector): Vector => vector.map((x) => factor * x) as Vector;
const key = ({ cubie, normal }: Facelet) => [...cubie, ...normal].map((x) => x + 0).join();

export const FACELETS: Facelet[] = FACES.flatMap((face) => {
  const [normal, right, down] = AXES[face]!;
  return [-1, 0, 1].flatMap((row) => [-1, 0, 1].map((column) => (
    { cubie: sum(normal, times(column, right), times(row, down)), normal })));
});

const INDEX = new Map(FACELETS.map((facelet, at) => [key(facelet), at]));

/** A quarter turn, clockwise as seen from outside the face. */
function quarter([x, y, z]: Vector, axis: Vector): Vector {
  const [a, b, c] = axis;
  // The part along the axis stays; the rest is turned by -90 degrees about it.
  const along = a * x + b * y + c * z;
  const cross: Vector = [b * z - c * y, c * x - a * z, a * y - b * x];
  return sum(times(along, axis), times(-1, cross));
}

export interface Turn {
  /** The face whose direction the layers follow. */
  face: string;
  /** 1 is the layer of the face, 0 the one behind it, -1 that of the opposite face. */
  layers: number[];
  /** Clockwise quarter turns: 1, 2 or 3. */
  quarters: number;
}

/** The faces whose direction slices follow. */
const SLICES: Record<string, string> = { M: "L", E: "D", S: "F" };

/** A turn of a face (R), of a face and the slice behind it (Rw), or of a slice (M). */
export function parseTurn(text: string): Turn {
  const [, layer, wide, amount] = /^([URFDLBMES])(w?)([2']?)$/.exec(text)!;
  const slice = SLICES[layer!];
  return {
    face: slice ?? layer!, layers: slice ? [0] : wide ? [1, 0] : [1],
    quarters: amount === "2" ? 2 : amount === "'" ? 3 : 1,
  };
}

/** The moves that undo these. */
export const undone = (moves: string[]) =>
  [...moves].reverse().map((move) => (move.endsWith("2") ? move : move.endsWith("'") ? move.slice(0, -1) : `${move}'`));

export const axisOf = (face: string): Vector => AXES[face]![0];

/** Whether a cubie is in the layers of a turn. */
export const isTurned = (cubie: Vector, { face, layers }: Turn) => {
  const axis = axisOf(face);
  return layers.includes(cubie[0] * axis[0] + cubie[1] * axis[1] + cubie[2] * axis[2]);
};

/** The facelets after a turn. */
export function turned(facelets: string, turn: Turn): string {
  const { face, quarters } = turn;
  const after = [...facelets];
  const axis = axisOf(face);
  FACELETS.forEach((facelet, at) => {
    if (!isTurned(facelet.cubie, turn)) return;
    let { cubie, normal } = facelet;
    for (let i = 0; i < quarters; i += 1) [cubie, normal] = [quarter(cubie, axis), quarter(normal, axis)];
    after[INDEX.get(key({ cubie, normal }))!] = facelets[at]!;
  });
  return after.join("");
}
