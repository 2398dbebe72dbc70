import { t } from "@lingui/core/macro";
/** A text with a selection. */
export interface Selected {
  text: string;
  start: number;
  end: number;
}

export type Mark = "bold" | "italic" | "list" | "link";

const SAMPLE = { bold: t`bold text`, italic: t`italic text`, list: t`item`, link: t`link text` };
const SIGN = { bold: "**", italic: "_" };
const URL_SAMPLE = "https://";

/** Marks the selection as Markdown, or a sample text where nothing is selected. */
export function marked({ text, start, end }: Selected, mark: Mark): Selected {
  const chosen = text.slice(start, end) || SAMPLE[mark];
  if (mark === "list") return listed(text, start, end);
  const [before, after] = mark === "link" ? ["[", `](${URL_SAMPLE})`] : [SIGN[mark], SIGN[mark]];
  const from = start + before.length;
  return {
    text: text.slice(0, start) + before + chosen + after + text.slice(end),
    start: from,
    end: from + chosen.length,
  };
}

/** Makes the selected lines items of a list. */
function listed(text: string, start: number, end: number): Selected {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const until = text.indexOf("\n", end) === -1 ? text.length : text.indexOf("\n", end);
  const items = (text.slice(from, until) || SAMPLE.list)
    .split("\n")
    .map((line) => (line.startsWith("- ") ? line : `- ${line}`))
    .join("\n");
  return {
    text: text.slice(0, from) + items + text.slice(until),
    start: from,
    end: from + items.length,
  };
}
