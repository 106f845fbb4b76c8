// The declarations, used in every way that they promise.
import { type Addresses, addresses, type Checkpoint, create, cube, hanoi, puzzle, Refused, type SearchAnswer, type Solution, type Step, tiles } from "optimal-puzzles";

export async function used(signal: AbortSignal): Promise<string[]> {
  const answer: SearchAnswer = await cube.solve("R U", { metric: "qtm", all: true, timeLimit: 5, signal });
  const best: Solution | null = answer.best;
  const search = tiles.solve([1, 0, 2, 3], { goal: "blank-last" });
  const steps: Step[] = [];
  for await (const step of search) steps.push(step);
  const checkpoint: Checkpoint | undefined = search.checkpoint;
  if (checkpoint) await tiles.solve("1 0 2 3", { resume: checkpoint });
  const { states }: { states: number[] } = await hanoi.counts(3);
  const bits: Addresses = addresses();
  const own = create({ threads: 2, tables: false, addresses: bits });
  const order = await own.puzzle.group("2x2x2");
  try {
    await puzzle.solve({ definition: "" }, "");
  } catch (error) {
    if (error instanceof Refused) return error.faults.map((fault) => fault.message);
  }
  // @ts-expect-error: there is no such option
  void cube.solve("R", { tempo: 1 });
  return [best?.moves ?? "", order?.order ?? "", String(states.length)];
}
