import { createInterface } from 'node:readline';
import { announce } from '../measure/probe.mjs';
import { answerTo } from './answers.mjs';

/** The least that a server over stdio does: read a line, parse, answer. */
createInterface({ input: process.stdin }).on('line', (line) => {
  process.stdout.write(`${JSON.stringify(answerTo(JSON.parse(line)))}\n`);
});
announce();
