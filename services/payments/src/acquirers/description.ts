const DESCRIPTION_MAX = 140;

/** Shortens a description to the banks' limit of 140 UTF-16 units (ours counts characters). No character is split. */
export function cutDescription(description: string): string {
  let text = '';
  for (const char of description) {
    if (text.length + char.length > DESCRIPTION_MAX) break;
    text += char;
  }
  return text;
}
