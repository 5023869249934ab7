/** What has no shape: white space, controls, format characters, what Unicode says to leave out, and the blank of Braille. */
const SHAPELESS = /^[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether nobody can see this text: two of them look the same, and like none. */
export const isBlank = (text: string): boolean => SHAPELESS.test(text);

/** The rule for a text that people or programs tell others by. */
export const NOT_BLANK = 'must not be empty or invisible';
