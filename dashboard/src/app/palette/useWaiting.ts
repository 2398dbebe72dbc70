import { $api, at } from "../../api/client";
import { detailIn, headOf, type Kind, KIND_NAMES, KINDS } from "../../home/inbox/waiting";
import { useInstitution } from "../../ui/useInstitution";
import { fitting, type Offer, type Section } from "./found";

/** The kinds of what waits for which no page has a list. */
const LISTED_AT_HOME: readonly (Offer & { waits: Kind })[] = KIND_NAMES.filter(
  (kind) => !KINDS[kind].all && kind !== "Upgrade",
).map((kind) => ({
  waits: kind,
  key: `waiting ${kind}`,
  label: KINDS[kind].title,
  kind: "Page",
  icon: KINDS[kind].icon,
  to: "/",
}));

/** What waits at Home and is called so as a kind: "full licenses", "devices to approve". */
export function useWaiting(text: string): { section: Section; isFetching: boolean } {
  const { institutionId } = useInstitution();
  const [named] = text ? fitting(LISTED_AT_HOME, text) : [];
  const { data, isFetching } = $api.useQuery(
    "get",
    "/api/institutions/{institutionId}/home",
    at({ institutionId: institutionId ?? "" }),
    { enabled: named !== undefined && Boolean(institutionId), staleTime: 15_000 },
  );
  const items = data?.waiting.items.filter(({ kind }) => kind === named?.waits) ?? [];
  return {
    section: {
      title: named?.label ?? "",
      offers: items.map((item): Offer => {
        const { icon, pathOf } = KINDS[item.kind];
        return {
          key: `waiting ${item.id ?? ""}`,
          label: headOf(item),
          detail: detailIn(item),
          kind: "License",
          icon,
          to: pathOf(item),
        };
      }),
    },
    isFetching,
  };
}
