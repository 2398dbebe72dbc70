/** What the pages' Markdown means as plain text, and the names by which its headings are linked. */

/** `Freeing a seat` is `freeing-a-seat`; a heading that is one code, such as an error's, is itself. */
export function anchorOf(heading: string): string {
  const code = /^`([^`]+)`$/.exec(heading)?.[1];
  return (
    code ??
    plain(heading)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
  );
}

/** Markdown without its marks. */
export function plain(markdown: string): string {
  return markdown
    .replace(/^\|[\s|:-]+\|$/gm, "")
    .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replace(/^(?:> |- |\d+\. |#+ )/gm, "")
    .replace(/^\||\|$/gm, "")
    .replace(/\s*\|\s*/g, " · ")
    .replace(/(?<!\w)_([^_]+)_(?!\w)/g, "$1")
    .replace(/[`*]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

export interface Heading {
  level: number;
  /** As plain text. */
  text: string;
  anchor: string;
}

export interface Passage {
  /** Null for what stands before the first heading. */
  heading: Heading | null;
  text: string;
}

/** A page in the order of reading, cut at its headings. */
export function passagesOf(body: string): Passage[] {
  return body.split(/^(?=#{2,3} )/m).map((part) => {
    const [, marks = "", title = ""] = /^(#+) (.+)\n?/.exec(part) ?? [];
    const heading = title
      ? { level: marks.length, text: plain(title), anchor: anchorOf(title) }
      : null;
    return { heading, text: plain(title ? part.slice(part.indexOf("\n")) : part) };
  });
}
