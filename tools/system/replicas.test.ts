import { describe, expect, it } from '@jest/globals';
import { readReplicas } from './replicas.ts';

describe('npm start -- --replicas', () => {
  it.each([
    ['', {}],
    ['gateway=2', { gateway: 2 }],
    ['payments=4,checkout=1', { payments: 4, checkout: 1 }],
  ])('%j is %j', (text, replicas) => {
    expect(readReplicas(text)).toEqual(replicas);
  });

  it.each([
    ['door=2', /^--replicas knows gateway, .*checkout, portal, not door$/],
    ['demo-receiver=2', /, not demo-receiver$/],
    ['gateway', /^--replicas takes gateway=1 to gateway=4, not gateway$/],
    ['gateway=0', /, not gateway=0$/],
    ['gateway=5', /, not gateway=5$/],
    ['gateway=2x', /, not gateway=2x$/],
  ])('%j is refused', (text, message) => {
    expect(() => readReplicas(text)).toThrow(message);
  });
});
