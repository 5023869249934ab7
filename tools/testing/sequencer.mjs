import Sequencer from '@jest/test-sequencer';
import { inOrder } from './order.ts';

/** jest's own order (the longest first, as far as it knows), with exceptions. */
export default class OwnOrder extends Sequencer {
  sort(tests) {
    return inOrder(super.sort(tests));
  }
}
