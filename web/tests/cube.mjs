// A cube as a list of stickers, for checking what the page says. It shares nothing with the page or the solvers:
// each turn is the cycles of stickers that one sees on a net.

const FACE = { U: 0, R: 9, F: 18, D: 27, L: 36, B: 45 };
const CYCLES = {
  U: [["F0", "L0", "B0", "R0"], ["F1", "L1", "B1", "R1"], ["F2", "L2", "B2", "R2"]],
  D: [["F6", "R6", "B6", "L6"], ["F7", "R7", "B7", "L7"], ["F8", "R8", "B8", "L8"]],
  R: [["F2", "U2", "B6", "D2"], ["F5", "U5", "B3", "D5"], ["F8", "U8", "B0", "D8"]],
  L: [["F0", "D0", "B8", "U0"], ["F3", "D3", "B5", "U3"], ["F6", "D6", "B2", "U6"]],
  F: [["U6", "R0", "D2", "L8"], ["U7", "R3", "D1", "L5"], ["U8", "R6", "D0", "L2"]],
  B: [["U0", "L6", "D8", "R2"], ["U1", "L3", "D7", "R5"], ["U2", "L0", "D6", "R8"]],
  M: [["F1", "D1", "B7", "U1"], ["F4", "D4", "B4", "U4"], ["F7", "D7", "B1", "U7"]],
  E: [["F3", "R3", "B3", "L3"], ["F4", "R4", "B4", "L4"], ["F5", "R5", "B5", "L5"]],
  S: [["U3", "R1", "D5", "L7"], ["U4", "R4", "D4", "L4"], ["U5", "R7", "D3", "L1"]],
};
const OWN = [[0, 2, 8, 6], [1, 5, 7, 3]];

export const SOLVED = [..."URFDLB"].map((face) => face.repeat(9)).join("");

function quarter(stickers, face) {
  const after = [...stickers];
  const at = (name) => FACE[name[0]] + Number(name[1]);
  // A slice has no face of its own.
  const own = face in FACE ? OWN.map((cycle) => cycle.map((i) => FACE[face] + i)) : [];
  const cycles = [...CYCLES[face].map((cycle) => cycle.map(at)), ...own];
  for (const cycle of cycles) cycle.forEach((from, i) => { after[cycle[(i + 1) % 4]] = stickers[from]; });
  return after;
}

/** Whether each face has one colour, however the cube is held. */
export const looksSolved = (stickers) => (stickers.match(/.{9}/g) ?? []).every((face) => new Set(face).size === 1);

/** Whether the edges of D are solved. */
export const hasCross = (stickers) => ["D1", "D3", "D5", "D7", "F7", "R7", "B7", "L7"].every((name) =>
  stickers[FACE[name[0]] + Number(name[1])] === name[0]);

const EDGES = [
  "D1 F7", "D5 R7", "D7 B7", "D3 L7", "U7 F1", "U5 R1", "U1 B1", "U3 L1", "F5 R3", "F3 L5", "B3 R5", "B5 L3",
].map((edge) => edge.split(" ").map((name) => FACE[name[0]] + Number(name[1])));

/** The stickers of the edges of D alone. */
function crossAlone(stickers) {
  const alone = Array(54).fill(".");
  for (const edge of EDGES) if (edge.some((at) => stickers[at] === "D")) for (const at of edge) alone[at] = stickers[at];
  return alone.join("");
}

/** The least number of turns that solves the edges of D: breadth first. */
export function crossDistance(stickers) {
  const turns = [..."URFDLB"].flatMap((face) => [face, `${face}2`, `${face}'`]);
  const seen = new Set([crossAlone(stickers)]);
  for (let [depth, layer] = [0, [...seen]]; ; depth += 1) {
    if (layer.some(hasCross)) return depth;
    layer = layer.flatMap((now) => turns.map((turn) => after(now, turn))).filter((next) => !seen.has(next) && seen.add(next));
  }
}

/** For each axis, the 192 cubes that half turns of the four faces around it make. */
let floppy;

/** Whether a cube is reduced to a floppy cube along some axis. */
export function isFloppy(stickers) {
  floppy ??= ["RLFB", "UDFB", "UDRL"].map((faces) => {
    const seen = new Set([SOLVED]);
    // A set lists what is added while it is listed.
    for (const now of seen) for (const face of faces) seen.add(after(now, `${face}2`));
    if (seen.size !== 192) throw new Error(`${seen.size} cubes`);
    return seen;
  });
  return floppy.some((cubes) => cubes.has(stickers));
}

/** The stickers after moves such as "R U2 F'" or "M E2". */
export function after(stickers, moves) {
  let now = [...stickers];
  for (const move of moves.split(/\s+/).filter(Boolean)) {
    const times = { "": 1, 2: 2, "'": 3 }[move.slice(1)];
    for (let i = 0; i < times; i += 1) now = quarter(now, move[0]);
  }
  return now.join("");
}
