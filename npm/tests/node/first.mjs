import { cube } from "optimal-puzzles";

const answer = await cube.solve("R U R' F2 D L' B2 U2 R F' L D2 B");
if (answer.best?.length !== 13 || !answer.proved) throw new Error(JSON.stringify(answer));
console.log(`ok   a cube of 13 moves by ${answer.heuristic}`);
