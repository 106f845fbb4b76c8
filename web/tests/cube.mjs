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
};
const OWN = [[0, 2, 8, 6], [1, 5, 7, 3]];

export const SOLVED = [..."URFDLB"].map((face) => face.repeat(9)).join("");

function quarter(stickers, face) {
  const after = [...stickers];
  const at = (name) => FACE[name[0]] + Number(name[1]);
  const cycles = [...CYCLES[face].map((cycle) => cycle.map(at)), ...OWN.map((cycle) => cycle.map((i) => FACE[face] + i))];
  for (const cycle of cycles) cycle.forEach((from, i) => { after[cycle[(i + 1) % 4]] = stickers[from]; });
  return after;
}

/** The stickers after moves such as "R U2 F'". */
export function after(stickers, moves) {
  let now = [...stickers];
  for (const move of moves.split(/\s+/).filter(Boolean)) {
    const times = { "": 1, 2: 2, "'": 3 }[move.slice(1)];
    for (let i = 0; i < times; i += 1) now = quarter(now, move[0]);
  }
  return now.join("");
}
