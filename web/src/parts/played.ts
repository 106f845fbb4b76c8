// Turns of a cube that are played in space.
import { type Turn, parseTurn, turned } from "./facelets";
import { Player } from "./player";
import type { Solid } from "./solid";

const undo = (turn: Turn): Turn => ({ ...turn, quarters: 4 - turn.quarters });

/** A player of turns that begin at `start`, which is shown at once. `reached` receives the facelets after each step. */
export function played(solid: Solid, start: string, moves: string[], reached: (facelets: string) => void = () => undefined): Player {
  const turns = moves.map(parseTurn);
  const positions = turns.reduce((all, turn) => [...all, turned(all.at(-1)!, turn)], [start]);
  const show = (step: number) => {
    solid.show(positions[step]!);
    reached(positions[step]!);
  };
  show(0);
  return new Player(moves, {
    show,
    move: async (step, back, milliseconds) => {
      const turn = turns[step]!;
      if (back) await solid.turn(positions[step + 1]!, undo(turn), milliseconds);
      else await solid.turn(positions[step]!, turn, milliseconds);
      reached(positions[back ? step : step + 1]!);
    },
  });
}
