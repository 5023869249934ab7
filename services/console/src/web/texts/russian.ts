import { RUSSIAN_OF_SERVICES } from './ru-services.ts';
import { RUSSIAN } from './ru.ts';

/** All that is said in Russian, as one script of its own. */
const texts: Readonly<Record<string, string>> = { ...RUSSIAN_OF_SERVICES, ...RUSSIAN };
export default texts;
