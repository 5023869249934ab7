import Sequencer from '@jest/test-sequencer';

/** jest's own order, except that the scan for card data comes last: it inspects what all the others left behind. */
export default class ScanLast extends Sequencer {
  sort(tests) {
    const isScan = ({ path }) => path.endsWith('card-data.e2e.test.ts');
    const ordered = super.sort(tests);
    return [...ordered.filter((test) => !isScan(test)), ...ordered.filter(isScan)];
  }
}
