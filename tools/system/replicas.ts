import { SERVICES } from '../infrastructure/provision.ts';
import type { OwnProgram } from './state.ts';

const PROGRAMS: readonly OwnProgram[] = [...SERVICES, 'checkout', 'portal'];
/** Most have a pool of connections: PostgreSQL accepts a limited number. */
const REPLICAS_MAX = 4;

/**
 * Reads `payments=2,gateway=2`: how many processes each program has; the others have one.
 * @throws Error that names what is wrong
 */
export function readReplicas(text: string): Partial<Record<OwnProgram, number>> {
  const replicas: Partial<Record<OwnProgram, number>> = {};
  for (const part of text.split(',').filter(Boolean)) {
    const [name = '', count = ''] = part.split('=');
    const program = PROGRAMS.find((one) => one === name);
    if (program === undefined) throw new Error(`--replicas knows ${PROGRAMS.join(', ')}, not ${name}`);
    if (!/^\d$/.test(count) || Number(count) < 1 || Number(count) > REPLICAS_MAX) {
      throw new Error(`--replicas takes ${program}=1 to ${program}=${String(REPLICAS_MAX)}, not ${part}`);
    }
    replicas[program] = Number(count);
  }
  return replicas;
}
