import { useQuery } from "@tanstack/react-query";
import type { Piece } from "../../help/search";
import { HelpIcon } from "../../ui/icons";
import type { Offer } from "./found";

const textOf = (pieces: readonly Piece[]) => pieces.map(({ text }) => text).join("");

/** What the help says of a text, once its code is there. */
async function passagesOf(text: string): Promise<Offer[]> {
  const [{ passagesWith }, { texts }] = await Promise.all([
    import("../../help/search"),
    import("../../help/library"),
  ]);
  return passagesWith(await texts, text).map(({ to, page, heading }) => ({
    key: `help ${to}`,
    label: textOf(heading) || textOf(page),
    ...(heading.length > 0 && { detail: textOf(page) }),
    kind: "Help",
    icon: HelpIcon,
    to,
  }));
}

/** The passages of the help in which all words of a text stand; without a text, none is asked for. */
export function useHelp(text: string): { passages: readonly Offer[]; isFetching: boolean } {
  const { data = [], isFetching } = useQuery({
    queryKey: ["help", text],
    queryFn: () => passagesOf(text),
    enabled: text !== "",
    staleTime: Infinity,
  });
  return { passages: data, isFetching };
}
