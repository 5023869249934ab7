import { BETWEEN } from './card-number.ts';

/** Cyrillic letters as the Latin ones that they look or sound like: codes are named with both, often in one word. */
const FOLDED: Readonly<Record<string, string>> = {
  а: 'a',
  в: 'v',
  д: 'd',
  е: 'e',
  ё: 'e',
  и: 'i',
  і: 'i',
  к: 'k',
  н: 'n',
  о: 'o',
  п: 'p',
  с: 'c',
  ц: 'c',
};
const fold = (text: string): string => text.replace(/[а-яёі]/giu, (letter) => FOLDED[letter.toLowerCase()] ?? letter);

const words = (list: string): string =>
  list
    .trim()
    .split(/\s*\|\s*/)
    .map((word) => word.replaceAll(' ', `${BETWEEN}{1,3}`))
    .join('|');
const GAP = `${BETWEEN}{0,6}`;

/** Names of the three or four digits on a card, in both languages. What is not in a group alone means something else, too. */
const NAMES = fold(
  [
    `c${BETWEEN}{0,2}v${BETWEEN}{0,2}[vc]2?`,
    'cv[nkd]2?|cav2?|csc2?|cid|pin|пин',
    words('card verification (?:value|code|number) | (?:card )?security (?:code|number|digits) | card code'),
    words('(?:three|four|3|4) digits?(?: security)?(?: code| number)?'),
    words('(?:code|digits|number) (?:on|from|at) (?:(?:the|my|its) )?(?:back|reverse|rear|front)(?: side)?'),
    words('код[а-я]{0,2} (?:безопасности | защиты | карты | проверки(?: подлинности)?(?: карты)?)'),
    words('(?:тр[её]х|четыр[её]х|3|4)-?х?-?значн[а-я]{2,3} (?:код|номер|числ)[а-я]{0,2}'),
    words('(?:секретн|проверочн|защитн)[а-я]{2,3} код[а-я]{0,2} карт[а-я]{1,2}'),
    words('(?:код|цифр|числ|номер)[а-я]{0,2} (?:на|с|со|из) (?:оборот[а-я]{0,2}|(?:обратн|задн|тыльн)[а-я]{2,3}(?: сторон[а-я]{1,2})?)'),
  ].join('|'),
);
/** Words that may stand between a name and its digits. */
const FILLERS = fold(
  words(
    'is|are|was|code|number|value|equals|the|my|of|on|from|for|to|card|back|here|this|it|your|buyer|s|код|кода|номер|карты|карте|моей|моя|мой|на|с|со|из|это|равен|вот|вашей|его|её|обороте|оборота|обратной|задней|стороны|стороне|такой|цифры|три|три цифры',
  ),
);
const DIGITS = `\\d(?:${BETWEEN}{0,3}\\d){2,3}(?!\\d)`;

const AFTER_ITS_NAME = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${NAMES})(?!\\p{L})(?:${GAP}(?:${FILLERS})(?![\\p{L}\\p{N}])){0,6}${GAP}${DIGITS}`,
  'giu',
);
const BEFORE_ITS_NAME = new RegExp(
  `(?<!\\d|\\d${BETWEEN})\\d{3,4}(?!\\d)(?: ?[-–—(:=]{1,2} ?|(?:${GAP}(?:${FILLERS})(?![\\p{L}\\p{N}])){1,4}${GAP})(?:${NAMES})(?![\\p{L}\\p{N}])`,
  'giu',
);

/** Three or four digits that are called a card's security code in a `plainText`, with the name. */
export function securityCodesIn(plain: string): string[] {
  if (!/\d\D{0,3}\d\D{0,3}\d/.test(plain)) return [];
  const folded = fold(plain);
  return [AFTER_ITS_NAME, BEFORE_ITS_NAME].flatMap((shape) =>
    [...folded.matchAll(shape)].map(({ 0: found, index }) => plain.slice(index, index + found.length)),
  );
}
