/** Templates with their values filled in. */

/**
 * Puts texts in the place of their names; a part in brackets needs all of those in it. A name outside
 * brackets stays as it is if there is no text for it.
 */
export function fill(template: string, texts: ReadonlyMap<string, string>): string {
  return template.replace(
    /\[([^[\]]*)\]|\{(\w+)\}/g,
    (all: string, part: string | undefined, name: string) => {
      if (part === undefined) return texts.get(name) ?? all;
      const names = Array.from(part.matchAll(/\{(\w+)\}/g), (found) => found[1] ?? "");
      if (!names.every((each) => texts.has(each))) return "";
      return part.replace(/\{(\w+)\}/g, (_, each: string) => texts.get(each) ?? "");
    },
  );
}
