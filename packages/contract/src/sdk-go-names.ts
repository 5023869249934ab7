// The names of the document in the spelling of Go, and its descriptions as Go's comments begin.

/** Words that Go writes in capitals. */
const INITIALISMS = ['api', 'csv', 'ffd', 'http', 'id', 'nspkurl', 'qr', 'sbp', 'url', 'usdt', 'vat'];

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const spelled = (word: string): string => {
  if (word === 'ids') return 'IDs';
  return INITIALISMS.includes(word) ? word.toUpperCase() : capital(word);
};

/** `paymentPointID` and `PaymentPointId` are `PaymentPointID`. */
export const exported = (name: string): string =>
  (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((word) => spelled(word.toLowerCase())).join('');

/** The name of a parameter: `eventId` is `eventID`, and `id` is `id`. */
export const unexported = (name: string): string => {
  const [first = '', ...others] = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
  return first.toLowerCase() + others.map((word) => spelled(word.toLowerCase())).join('');
};

/** A word of an enumeration: `IN_REVIEW` is `InReview`, `payment.failed` is `PaymentFailed`, and `PT1M` stays. */
export const wordName = (word: string): string =>
  word
    .split(/[_.-]/)
    .map((part) => (/\d/.test(part) ? part : spelled(part.toLowerCase())))
    .join('');

const lower = (text: string): string => (/^[A-Z](?:[a-z ]|$)/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text);

const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** The comment of a member. */
export const comment = (text: string): string => `// ${ended(text)}`;

/** The comment of a type, which begins with its name. */
export function commentOfType(name: string, what: string): string {
  const verb = /^(?:Which|Whose|Why|Whether|How|What) /.test(what)
    ? 'says '
    : what.startsWith('The final statuses ')
      ? 'is one of '
      : what.startsWith('Events ')
        ? 'is among the '
        : what.startsWith('The saved addresses')
          ? 'are '
          : /^(?:Requests|Refunds|Charges) /.test(what)
            ? ''
            : 'is ';
  return `// ${name} ${verb}${ended(lower(what))}`;
}

/** The comment of a method: "Create a card payment" begins with "CreateCardPayment creates a card payment". */
export const commentOfMethod = (name: string, summary: string): string =>
  `// ${name} ${ended(lower(summary.replace(/^\w+|(?<=, or )find\b/g, (verb) => `${verb}s`)))}`;
