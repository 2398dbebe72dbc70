/** Words that the server sent. */

/** A word that the server sent, such as a status, so that it can stand in a sentence. */
export function word(text: string): string {
  return isPrintable(text) ? text.slice(0, 40) : "?";
}

export function isPrintable(text: string): boolean {
  return !/[\p{C}\p{Zl}\p{Zp}]/u.test(text);
}
