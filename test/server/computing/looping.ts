import { parentPort } from 'node:worker_threads';

/** A thread that computes for ever when asked to `loop`, runs out of memory when asked to `grow`, and else answers. */
parentPort?.on('message', (question: string) => {
  const held: number[][] = [];
  while (question === 'loop' || question === 'grow') if (question === 'grow') held.push(Array(100_000).fill(1));
  parentPort?.postMessage(`answer to ${question}`);
});
