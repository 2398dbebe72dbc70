import { folded } from "../ui/folded";

/** Converts the Markdown of help topics to plain text and derives heading anchors. */

/**
 * `freeing-a-seat` for `Freeing a seat`; a heading that is a code, such as an error code, is its
 * own anchor.
 */
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

/** Markdown as plain text. */
export function plain(markdown: string): string {
  return markdown
    .replace(/^\|.*\|\n\|[\s|:-]+\|$/gm, "")
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
  /** Plain text. */
  text: string;
  anchor: string;
}

export interface Passage {
  /** Null for the text before the first heading. */
  heading: Heading | null;
  text: string;
}

/** Splits a translated page, whose headings keep the anchors that they have in the original. */
export const passagesAt = (originals: readonly Passage[], body: string): Passage[] =>
  passagesOf(body).map(({ heading, text }, place) => {
    const anchor = originals[place]?.heading?.anchor;
    return { heading: heading && anchor ? { ...heading, anchor } : heading, text };
  });

/**
 * The sections of a page, such as that of an error code, whose heading or line below it holds the words, under their
 * chapters; the whole page without words.
 */
export function sectionsWith(words: string, body: string): string {
  const wanted = folded(words.trim());
  if (!wanted) return body;
  return body
    .split(/^(?=## )/m)
    .map((chapter) => {
      const [head = "", ...sections] = chapter.split(/^(?=### )/m);
      const found = sections.filter((section) =>
        folded(section.split("\n", 3).join(" ")).includes(wanted),
      );
      return found.length > 0 ? [head, ...found].join("") : "";
    })
    .join("");
}

/** Splits a page at its headings, after its introduction, which may be empty. */
export function passagesOf(body: string): Passage[] {
  return `\n${body}`.split(/^(?=#{2,3} )/m).map((part) => {
    const [, marks = "", title = ""] = /^(#+) (.+)\n?/.exec(part) ?? [];
    const heading = title
      ? { level: marks.length, text: plain(title), anchor: anchorOf(title) }
      : null;
    return { heading, text: plain(title ? part.slice(part.indexOf("\n")) : part) };
  });
}
