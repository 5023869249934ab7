// Prints how many signatures this process verifies per second: `bench/signature.ts` runs one per core.
import { verifiesPerSecond } from './signature.ts';

process.stdout.write(String(verifiesPerSecond()));
