import { t } from "@lingui/core/macro";
import { pagePath } from "../../api/address";
import { HELP_TOPIC_LABELS, HELP_TOPICS } from "../../ui/helpTopics";
import {
  ConnectorIcon,
  HelpIcon,
  HistoryIcon,
  type Icon,
  OrderIcon,
  PersonIcon,
  SettingsIcon,
  WebhookIcon,
} from "../../ui/icons";
import { useCan } from "../../ui/useInstitution";
import { type Visited, visitedLast } from "../../ui/visited";
import {
  bestFirst,
  fitting,
  isByChance,
  isInTitle,
  isSpelled,
  likely,
  type Offer,
  type Section,
  type Thing,
} from "./found";
import { OWN_SETTINGS, SETTINGS } from "./settingOffers";
import { mostUsed } from "./usual";
import { useActions, useCommands, usePages } from "./useCommands";
import { useExports } from "./useExports";
import { useHelp } from "./useHelp";
import { useActsOn } from "./useInView";
import { useNamed } from "./useNamed";
import { KINDS, useThings } from "./useThings";
import { useWaiting } from "./useWaiting";
import { commandIn } from "./words";

const SHOWN = 5;
const RECENT = 6;

const HELP: readonly Offer[] = HELP_TOPICS.map((topic) => ({
  key: `help ${topic}`,
  label: HELP_TOPIC_LABELS[topic],
  kind: "Help",
  icon: HelpIcon,
  to: `/help/${topic}`,
}));

const ICONS = new Map<string, Icon>([
  ...Object.entries(KINDS).map(([kind, { icon }]) => [kind, icon] as const),
  ["Order", OrderIcon],
  ["Member", PersonIcon],
  ["Webhook", WebhookIcon],
  ["Connector", ConnectorIcon],
  ["Setting", SettingsIcon],
  ["Help", HelpIcon],
]);

/** The full-text search of the help, where nothing is called so. */
const inHelp = (text: string): Offer => ({
  key: "search help",
  label: t`Search the help for “${text}”`,
  kind: "Help",
  icon: HelpIcon,
  to: `/help?q=${encodeURIComponent(text)}`,
});

/** What can be done to these, of which Tab shows what. */
const ACTED_ON: readonly string[] = ["License", "Customer", "Product"] satisfies Thing["kind"][];

/** What was looked at, but for what is in view. */
const recentOffers = (): Offer[] =>
  visitedLast()
    .filter(({ to }) => !isInView(to))
    .slice(0, RECENT)
    .map((visited) => ({
      ...visited,
      icon: ICONS.get(visited.kind) ?? HistoryIcon,
      ...(ACTED_ON.includes(visited.kind) && { thing: thingOf(visited) }),
    }));

const isInView = (to: string) => `${pagePath(window.location.pathname)}/`.startsWith(`${to}/`);

const thingOf = ({ key, kind, label }: Visited): Thing => ({
  kind: kind as Thing["kind"],
  id: key,
  title: label,
  licenseId: null,
  status: null,
});

interface Offers {
  sections: Section[];
  /** Pages and actions that are always there, of which those chosen most stand first. */
  usual: readonly Offer[];
  isBusy: boolean;
  /** Whether nothing is called so, and only the help may know it. */
  isNothing: boolean;
}

/**
 * What the palette offers for a text; without one the likeliest that can be done to what is in view,
 * what was looked at last, and what is done most. Of a thing, only what can be done to it.
 */
export function useOffers(text: string, thing: Thing | null, onShortcuts: () => void): Offers {
  const actions = [...useActions(), ...useCommands(onShortcuts)];
  const inView = useActsOn(thing);
  const pages = usePages();
  const typed = text.trim();
  const few = useNamed(!thing && typed !== "");
  const { manage } = useCan();
  const exports = useExports(thing ? "" : text);
  const waiting = useWaiting(thing ? "" : commandIn(text));
  const named = (title: string, offers: Offer[]): Section => ({ title, offers });
  const usual = [...actions, ...pages];
  const command = commandIn(text);
  const isExact = [...usual, ...exports].some((one) => isSpelled(one, command));
  const things = useThings(
    thing ? "" : text,
    pages.some((one) => isInTitle(one.label, command)),
  );
  const best = (offers: readonly Offer[]) => {
    const called = fitting(offers, text);
    return (called.length > 0 ? called : fitting(offers, command))
      .filter((one) => !isExact || !isByChance(one, command))
      .slice(0, SHOWN);
  };
  // "Issue license to Ada" is not meant by her name alone, which looks for what is called so.
  const acts = inView.map(({ title, offers }) => ({
    ...named(title, best(offers)),
    isMeant: !isInTitle(title, typed),
  }));
  const calledSo = bestFirst(
    [
      ...things.sections,
      named(t`Team`, best(few.members)),
      named(t`Connectors`, best(few.connectors)),
      named(t`Webhooks`, best(few.webhooks)),
    ].filter(({ offers }) => offers.length > 0),
    typed,
  );
  const all = typed
    ? [
        ...acts.filter(({ isMeant }) => isMeant),
        ...(things.isNamed ? [...calledSo, things.asked] : [things.asked, ...calledSo]),
        ...acts.filter(({ isMeant }) => !isMeant),
        things.views,
        waiting.section,
        named(t`Export`, best(exports)),
        named(t`Actions`, best([...actions, ...few.rules])),
        named(t`Pages`, best(pages)),
        named(t`Settings`, best([...(manage ? SETTINGS : []), ...OWN_SETTINGS])),
        named(t`Help`, best(HELP)),
      ]
    : [
        ...inView.map(({ title, offers }) => named(title, offers.slice(0, SHOWN))),
        { ...named(t`Recent`, recentOffers()), isMixed: true as const },
        named(t`Most used`, mostUsed(usual)),
      ];
  const sections = all.filter(({ offers }) => offers.length > 0);
  const isAsking = things.isBusy || few.isFetching || waiting.isFetching;
  const isUncalled = !thing && typed !== "" && sections.length === 0 && !isAsking;
  const help = useHelp(isUncalled ? typed : "");
  if (thing) {
    const acts = inView.map(({ title, offers }) => named(title, typed ? best(offers) : offers));
    return { sections: acts, usual, isBusy: false, isNothing: false };
  }
  if (typed && sections.length === 0) {
    const meant = likely([...actions, ...pages, ...HELP], typed).slice(0, SHOWN);
    const guesses = [...things.guesses, ...meant];
    if (guesses.length > 0)
      sections.push({ ...named(t`Did you mean`, guesses), isMixed: true as const });
    else if (things.partly.offers.length > 0) sections.push(things.partly);
    if (help.passages.length > 0)
      sections.push(named(t`Help`, [...help.passages.slice(0, SHOWN), inHelp(typed)]));
  }
  const isBusy = isAsking || help.isFetching;
  const isNothing = typed !== "" && !isBusy && sections.length === 0;
  if (isNothing) sections.push(named(t`Search`, [inHelp(typed)]));
  return { isBusy, isNothing, sections, usual };
}
