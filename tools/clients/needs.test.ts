import { expect, it } from '@jest/globals';
import { missing, type Need } from './needs.ts';

const says = (text: string, atLeast: string): Need => ['nail', [process.execPath, '-e', text], atLeast];

it.each<[string, Need, string[]]>([
  ['is there', says('console.log("go version go1.26.8 linux")', '1.25'), []],
  ['is there, and says so behind what it was told', says('console.error("Picked up: -Xmx2g"); console.log("openjdk 17.0.21")', '11'), []],
  ['is just as old', says('console.log("1.25")', '1.25.0'), []],
  ['is missing', ['nail', ['no-such-program', '--version'], '11'], ['nail 11 or later is missing']],
  ['is a stub', says('process.exit(1)', '11'), [`nail 11 or later is missing: "${process.execPath} -e process.exit(1)" names no version`]],
  ['is too old', says('console.log("1.9.2")', '1.25'), ['nail 1.25 or later is needed, this is 1.9.2']],
])('a program that %s', (_name, need, sentences) => {
  expect(missing([need])).toEqual(sentences);
});
