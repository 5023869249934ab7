// Prints how many signatures this process verifies a second: `bench/signature.ts` runs one a core.
import { verifiesPerSecond } from './signature.ts';

process.stdout.write(String(verifiesPerSecond()));
