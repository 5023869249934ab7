const DESCRIPTION_MAX = 140;

/** A purpose as banks take it: at most 140 UTF-16 units, where we count characters; no character is cut in two. */
export function cutDescription(description: string): string {
  let text = '';
  for (const char of description) {
    if (text.length + char.length > DESCRIPTION_MAX) break;
    text += char;
  }
  return text;
}
