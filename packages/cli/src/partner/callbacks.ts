import type { Command } from 'commander';
import { addReceiverCommands } from './callbacks-check.ts';
import { addListen } from './listen.ts';
import { addReceive } from './receive.ts';

/** `pay callbacks`: what happens, as it happens, and checks of your own receiver. */
export function addCallbackCommands(program: Command): void {
  const callbacks = program.command('callbacks').description('see callbacks, and check who receives them');
  addReceiverCommands(callbacks);
  addListen(callbacks);
  addReceive(callbacks);
}
