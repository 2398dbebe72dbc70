import { t } from "@lingui/core/macro";
import {
  type Action,
  availableActions,
  isGrave,
  labelOf,
} from "../../licenses/detail/actions/available";
import type { License, Schemas } from "../../api/types";
import {
  BatteryIcon,
  BlockIcon,
  BoltIcon,
  DeleteIcon,
  DoctorIcon,
  EditIcon,
  ExpiryIcon,
  FailedIcon,
  HistoryIcon,
  type Icon,
  KeyIcon,
  RepairIcon,
  ReplayIcon,
  SendIcon,
  SwitchIcon,
} from "../../ui/icons";
import { plain, type Offer } from "./found";

type Hit = Schemas["SearchHit"];

/** An action on a license that is named by its verb, and where it can be done. */
interface Act {
  name: string;
  label: string;
  of: readonly License["status"][];
  /** Whether only licenses with a balance have it. */
  isMetered?: true;
  /** Other verbs for it. */
  words?: string;
}

const ANY = ["Active", "Suspended", "Expired"] as const;
const GRANT = t({ message: "Grant", context: "verb" });

const ACTS: readonly Act[] = [
  { name: "term", label: t`Extend`, of: ANY, words: t`renew prolong` },
  { name: "suspend", label: t`Suspend`, of: ["Active"] },
  { name: "reinstate", label: t`Reinstate`, of: ["Suspended"] },
  { name: "send", label: t`Send by email`, of: ANY, words: t`email mail` },
  { name: "grant", label: GRANT, of: ANY, isMetered: true },
  { name: "rekey", label: t`Replace key`, of: ANY },
  { name: "revoke", label: t`Revoke`, of: ANY },
  { name: "diagnose", label: t`Diagnose`, of: [...ANY, "Revoked"], words: t`why check` },
  {
    name: "note",
    label: t`Add a note`,
    of: [...ANY, "Revoked"],
    words: t({ message: "note comment", comment: "Other verbs for it, by spaces" }),
  },
  { name: "edit", label: t`Edit`, of: ANY, words: t`change rename` },
  { name: "maintenance", label: t`Set maintenance`, of: ANY, words: t`maintenance updates` },
];

/** A verb, and the text after it, which names a license; empty until that is typed. */
export interface Verb {
  act: Act;
  rest: string;
}

const BEGINNING = 3;

/** The action that a text begins with: "extend tom" asks to extend what is called Tom. */
export function verbOf(text: string): Verb | undefined {
  const [first = "", ...others] = text.split(/\s+/);
  const typed = plain(first);
  if (typed.length < BEGINNING) return undefined;
  const act =
    ACTS.find(({ label }) => plain(label).startsWith(typed)) ??
    ACTS.find(({ words = "" }) => plain(words).split(" ").includes(typed));
  if (!act) return undefined;
  const words = plain(act.label).split(" ");
  const rest = others.filter((word, at) => plain(word) !== words[at + 1]).join(" ");
  return { act, rest };
}

/** Asks for the license of a verb that stands alone. */
export const whichOf = ({ act }: Verb): Offer => ({
  key: `which ${act.name}`,
  label: t`${{ act: act.label }}: which license?`,
  detail: t`Type its name, email or key`,
  kind: "Action",
  icon: ICONS[act.name] ?? BoltIcon,
  to: "/licenses",
  types: `${act.label} `,
});

const PATHS: Readonly<Record<string, string>> = {
  diagnose: "/diagnose",
  grant: "/meter?act=grant",
};

const ICONS: Readonly<Record<string, Icon>> = {
  convert: SwitchIcon,
  delete: DeleteIcon,
  diagnose: DoctorIcon,
  edit: EditIcon,
  grant: BatteryIcon,
  maintenance: RepairIcon,
  note: HistoryIcon,
  reinstate: ReplayIcon,
  rekey: KeyIcon,
  restore: ReplayIcon,
  revoke: FailedIcon,
  send: SendIcon,
  suspend: BlockIcon,
  term: ExpiryIcon,
};

const pathOf = (name: string, id: string) => `/licenses/${id}${PATHS[name] ?? `?act=${name}`}`;

const offer = (name: string, label: string, id: string, rest: Partial<Offer>): Offer => ({
  key: `${name} ${id}`,
  label,
  kind: "Action",
  icon: ICONS[name] ?? BoltIcon,
  to: pathOf(name, id),
  ...rest,
});

/** What a verb does to each of these licenses, as far as their status allows. */
export const actOffers = (
  { act }: Verb,
  hits: readonly Pick<Hit, "id" | "title" | "detail" | "status">[],
): Offer[] =>
  hits
    .filter(({ status }) => act.of.some((one) => one === status))
    .map(({ id, title, detail, status }) =>
      offer(act.name, t`${{ act: act.label }}: ${{ name: title }}`, id, {
        ...(detail && { detail }),
        ...(status && { status }),
      }),
    );

/** The likeliest action on a license of this status. */
export function firstActOn({ id, status }: Pick<Hit, "id" | "status">): Offer | undefined {
  const name = { Active: "term", Expired: "term", Suspended: "reinstate" }[status ?? ""];
  const act = ACTS.find((one) => one.name === name);
  return act && offer(act.name, act.label, id, {});
}

/** What can be done to a license, likeliest first. */
export const actsOf = (license: License): Offer[] => [
  ...actsIn(license, (name) => !isSeldom(name)),
  offer("diagnose", t`Diagnose`, license.id, { words: t`why does it not work` }),
  offer("note", t`Add a note`, license.id, {}),
  ...actsIn(license, isSeldom),
];

/** To edit a license is seldom meant here, and what ends it stands last. */
const isSeldom = (name: Action) => name === "edit" || isGrave(name);

const actsIn = (license: License, isShown: (name: Action) => boolean): Offer[] =>
  availableActions(license)
    .filter(isShown)
    .map((name) =>
      offer(name, labelOf(name, license), license.id, {
        words: name === "grant" ? t`credits balance top-up` : license.licenseName,
        ...(isGrave(name) && { isGrave: true }),
      }),
    );
