import { t } from "@lingui/core/macro";
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
import { store, stored } from "../../ui/useStored";
import {
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
import { useActions, useCommands, usePages } from "./useCommands";
import { useHelp } from "./useHelp";
import { useActsOn } from "./useInView";
import { useNamed } from "./useNamed";
import { KINDS, useThings } from "./useThings";
import { commandIn } from "./words";

const SHOWN = 5;

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

interface Offers {
  sections: Section[];
  isBusy: boolean;
  /** Whether nothing is called so, and only the help may know it. */
  isNothing: boolean;
}

/**
 * What the palette offers for a text; without one what can be done to what is in view, what was
 * opened last, actions and pages. Of a thing, only what can be done to it.
 */
export function useOffers(text: string, thing: Thing | null, onShortcuts: () => void): Offers {
  const actions = [...useActions(), ...useCommands(onShortcuts)];
  const inView = useActsOn(thing);
  const pages = usePages();
  const typed = text.trim();
  const things = useThings(thing ? "" : text);
  const few = useNamed(!thing && typed !== "");
  const { manage } = useCan();
  const named = (title: string, offers: Offer[]): Section => ({ title, offers });
  const recent = recentThings().map((one) => ({
    ...one,
    icon: ICONS.get(one.kind) ?? HistoryIcon,
  }));
  const command = commandIn(text);
  const isExact = [...actions, ...pages].some((one) => isSpelled(one, command));
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
  const all = typed
    ? [
        ...acts.filter(({ isMeant }) => isMeant),
        ...(things.isNamed
          ? [...things.sections, things.asked]
          : [things.asked, ...things.sections]),
        ...acts.filter(({ isMeant }) => !isMeant),
        named(t`Team`, best(few.members)),
        named(t`Connectors`, best(few.connectors)),
        named(t`Webhooks`, best(few.webhooks)),
        named(t`Actions`, best([...actions, ...few.rules])),
        named(t`Pages`, best(pages)),
        named(t`Settings`, best([...(manage ? SETTINGS : []), ...OWN_SETTINGS])),
        named(t`Help`, best(HELP)),
      ]
    : [
        ...inView,
        { ...named(t`Recent`, recent), isMixed: true as const },
        named(t`Actions`, actions),
        named(t`Pages`, pages),
      ];
  const sections = all.filter(({ offers }) => offers.length > 0);
  const isAsking = things.isBusy || few.isFetching;
  const isUncalled = !thing && typed !== "" && sections.length === 0 && !isAsking;
  const help = useHelp(isUncalled ? typed : "");
  if (thing) {
    const acts = inView.map(({ title, offers }) => named(title, typed ? best(offers) : offers));
    return { sections: acts, isBusy: false, isNothing: false };
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
  return { isBusy, isNothing, sections };
}

/** A thing that was opened from the palette; its icon comes from its kind. */
interface Recent {
  key: string;
  label: string;
  kind: string;
  to: string;
}

const KEPT = 6;

const recentThings = (): Recent[] => stored<Recent[]>("recent", []);

/** Remembers what was opened, newest first. */
export function remember({ key, label, kind, to }: Recent): void {
  const others = recentThings().filter((one) => one.key !== key);
  store("recent", [{ key, label, kind, to }, ...others].slice(0, KEPT));
}
