import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import { Suspense, useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { api, at } from "../../api/client";
import type { Schemas } from "../../api/types";
import { reopenAttempts, reviewAllAttempts } from "../../ui/attempts";
import { takeBackApproval } from "../../ui/devices/takeBackApproval";
import { number } from "../../ui/formats";
import { DoneIcon } from "../../ui/icons";
import { lazy } from "../../ui/lazy";
import { ButtonLink } from "../../ui/PageLink";
import { usePageKeys } from "../../ui/pageKeys";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { RelativeTime } from "../../ui/RelativeTime";
import { Section } from "../../ui/Section";
import { useRowKeys } from "../../ui/table/rows";
import { useAct } from "../../ui/useAct";
import { useHome } from "../useOverview";
import styles from "./inbox.module.css";
import { detailIn, headOf, type Item, type Kind, KIND_NAMES, KINDS } from "./waiting";

/** Lets a device that waits use its license. */
const approve = (activationId: string) =>
  api.POST("/api/activations/{activationId}/approve", at({ activationId }));

/** Gives a machine without a network the license file that it asked for. */
const approveRequest = (requestId: string) =>
  api.POST("/api/offline/requests/{requestId}/approve", at({ requestId }));

/** Asks a webhook that fails whether it works again. */
const sendTest = (webhookId: string) =>
  api.POST("/api/webhooks/{webhookId}/test", at({ webhookId }));

/** What waits for the user, with the buttons that deal with it in place. */
export function Inbox({ institutionId }: { institutionId: string }) {
  const { data, error, refetch } = useHome(institutionId);
  return (
    <Section title={t`Needs attention`}>
      {error && !data ? (
        <ProblemAlert error={error} retry={() => void refetch()} />
      ) : data ? (
        <Groups key={institutionId} waiting={data.waiting} />
      ) : (
        <Skeleton variant="rounded" height={120} />
      )}
    </Section>
  );
}

/** What waits, or waited when the page was opened and is done. */
type Kept = Item & { isDone: boolean };

const keyOf = ({ kind, id, title }: Item) => `${kind} ${id ?? title}`;

/** Keeps what was dealt with in its place, so that no button moves under the pointer. */
function useKept(items: readonly Item[]): Kept[] {
  const [kept, keep] = useState(items);
  const waiting = new Map(items.map((item) => [keyOf(item), item]));
  const known = new Set(kept.map(keyOf));
  const added = items.filter((item) => !known.has(keyOf(item)));
  const all = [...kept, ...added];
  if (added.length > 0) keep(all);
  return all.map((item) => {
    const now = waiting.get(keyOf(item));
    return { ...(now ?? item), isDone: !now };
  });
}

function Groups({ waiting }: { waiting: Schemas["Waiting"] }) {
  const items = useKept(waiting.items);
  const keys = useInboxKeys();
  const kinds = KIND_NAMES.filter(
    (kind) => waiting.counts[kind] || items.some((item) => item.kind === kind),
  );
  if (kinds.length === 0)
    return (
      <p className={styles.well}>
        <DoneIcon aria-hidden />
        <span>
          <Trans>
            All good. <span className={styles.muted}>Nothing needs your attention.</span>
          </Trans>
        </span>
      </p>
    );
  return (
    // Keys that bubble from what has the focus in it; the buttons are reached without them, too.
    <div role="presentation" className={styles.groups} onKeyDown={keys}>
      {kinds.map((kind) => (
        <WaitingGroup
          key={kind}
          kind={kind}
          count={waiting.counts[kind] ?? 0}
          items={items.filter((item) => item.kind === kind)}
        />
      ))}
    </div>
  );
}

/** Settles what waits and has the focus, if that takes no more than a press. */
const settle = () =>
  document.activeElement
    ?.closest("[data-row]")
    ?.querySelector<HTMLElement>("[data-settles]")
    ?.click();

/**
 * Arrows, `j` and `k` go from one to the next that waits, where Enter does what its button does;
 * `e` settles the one that has the focus.
 */
function useInboxKeys() {
  usePageKeys([
    { keys: ["e"], meaning: t`Approve the device, or mark the attempts as reviewed`, act: settle },
  ]);
  return useRowKeys([], null);
}

/** More are shown when the user asks for them. */
const SHOWN = 4;

interface WaitingGroupProps {
  kind: Kind;
  /** How many there are; `items` holds the most urgent. */
  count: number;
  items: readonly Kept[];
}

/** What waits of a kind, most urgent first. */
function WaitingGroup({ kind, count, items }: WaitingGroupProps) {
  const { title, icon: Icon, tone, all } = KINDS[kind];
  const [isOpen, setOpen] = useState(false);
  // A heading over a single row says what the row can say.
  const isSingle = items.length === 1;
  const shown = isOpen ? items : items.slice(0, SHOWN);
  const hidden = items.length - shown.length;
  const left = number(hidden);
  const total = number(count);
  // Attempts are counted one by one, and listed by license.
  const tried = number(items.filter(({ isDone }) => !isDone).length || count);
  return (
    <section aria-label={title} className={styles.group}>
      {!isSingle && (
        <h3 className={styles.head} data-tone={tone}>
          <Icon aria-hidden />
          {title}
          <span className={styles.count}>{kind === "AccessAttempt" ? tried : total}</span>
        </h3>
      )}
      <ul className={styles.list}>
        {shown.map((item) => (
          <Waiting key={keyOf(item)} item={item} isLabeled={isSingle} />
        ))}
      </ul>
      {items.length === 0 && <p className={styles.only}>{t`Only Owners and Admins see which.`}</p>}
      <div className={styles.rest}>
        {hidden > 0 && (
          <button type="button" className={styles.more} onClick={() => setOpen(true)}>
            {plural(hidden, { other: `Show ${left} more` })}
          </button>
        )}
        {all && items.filter(({ isDone }) => !isDone).length < count && (
          <Link to={all} className={styles.more}>
            {plural(count, { other: `Show all ${total}` })}
          </Link>
        )}
      </div>
    </section>
  );
}

/** Focuses the next button of the list when the one in this row is gone because it was pressed. */
function useNextFocus(isDone: boolean) {
  const row = useRef<HTMLLIElement>(null);
  const wasDone = useRef(isDone);
  useEffect(() => {
    const has = (one: Element | null) => one === document.body || row.current?.contains(one);
    if (isDone && !wasDone.current && has(document.activeElement)) {
      const buttons = row.current?.closest("section")?.parentElement?.querySelectorAll("li button");
      const isAfter = (one: Element) =>
        Boolean(
          (row.current?.compareDocumentPosition(one) ?? 0) & Node.DOCUMENT_POSITION_FOLLOWING,
        );
      const next = [...(buttons ?? [])].find(isAfter);
      if (next instanceof HTMLElement) next.focus();
    }
    wasDone.current = isDone;
  }, [isDone]);
  return row;
}

interface WaitingProps {
  item: Kept;
  /** Whether the row says of what kind it is, since no heading does. */
  isLabeled: boolean;
}

function Waiting({ item, isLabeled }: WaitingProps) {
  const { pathOf, one, icon: Icon, tone } = KINDS[item.kind];
  const head = headOf(item);
  const detail = detailIn(item);
  const row = useNextFocus(item.isDone);
  return (
    <li
      ref={row}
      className={styles.item}
      {...(item.isDone ? { "data-done": true } : { "data-row": keyOf(item) })}
    >
      {isLabeled && <Icon aria-hidden className={styles.mark} data-tone={tone} />}
      <div className={styles.text}>
        <Link to={pathOf(item)} dir="auto" title={head}>
          {head}
        </Link>
        <span className={styles.muted} title={detail}>
          {isLabeled ? [one, detail].filter(Boolean).join(" · ") : detail}
        </span>
      </div>
      {item.since && item.kind !== "ExpiringLicense" && (
        <span className={styles.since}>
          <RelativeTime at={item.since} />
        </span>
      )}
      {item.isDone ? (
        <span className={styles.done}>
          <DoneIcon aria-hidden />
          {t`Done`}
        </span>
      ) : (
        item.mayAct && <Act item={item} />
      )}
    </li>
  );
}

const ExtendDialog = lazy(() => import("./ExtendDialog"));
const GrantDialog = lazy(() => import("./GrantDialog"));

interface Words {
  label: string;
  /** The label with what it is done to: "Approve Laptop". */
  named: (title: string) => string;
}

const OPEN: Words = {
  label: t({ message: "Open", context: "verb" }),
  named: (title) => t`Open ${title}`,
};

const LOOK: Words = {
  label: t`Review`,
  named: (title) => t`Review ${title}`,
};

const RULE: Words = {
  label: t`Create rule`,
  named: (title) => t`Create rule for ${title}`,
};

const TEST: Words = {
  label: t`Send test event`,
  named: (title) => t`Send test event to ${title}`,
};

const WORDS: Record<Item["action"], Words> = {
  Approve: { label: t`Approve`, named: (title) => t`Approve ${title}` },
  Acknowledge: {
    label: t`Mark as reviewed`,
    named: (title) => t`Mark as reviewed: ${title}`,
  },
  Grant: {
    label: t({ message: "Grant", context: "verb" }),
    named: (title) => t`Grant ${title}`,
  },
  Extend: { label: t`Extend`, named: (title) => t`Extend ${title}` },
  Repair: OPEN,
  Read: OPEN,
};

/** What a button names; several of one policy have the same name. */
const nameOf = ({ title, customerName }: Item) => [title, customerName].filter(Boolean).join(", ");

/** The buttons that deal with what waits. */
function Act({ item }: { item: Item }) {
  const [isAsking, setAsking] = useState(false);
  const { busy, act } = useAct();
  const close = () => setAsking(false);
  const { title } = item;
  const words = item.kind === "UnmatchedOrder" ? RULE : WORDS[item.action];
  const button = (onClick: () => void, said = WORDS[item.action]) => (
    <Button
      size="small"
      variant="outlined"
      loading={busy}
      aria-label={said.named(nameOf(item))}
      data-opens={!["Acknowledge", "Repair"].includes(item.action) || undefined}
      data-settles={item.action === "Approve" || item.action === "Acknowledge" || undefined}
      onClick={onClick}
    >
      {said.label}
    </Button>
  );
  const ask = () => setAsking(true);
  const id = item.id ?? "";
  switch (item.action) {
    case "Approve":
      if (item.kind === "OfflineRequest")
        return button(() => void act(t`Request of ${title} approved.`, () => approveRequest(id)));
      return button(() => {
        void act(
          t`${title} approved.`,
          () => approve(id),
          () => takeBackApproval(id),
        );
      });
    case "Acknowledge":
      return (
        <>
          {/* Nobody should hide attempts that they have not seen. */}
          <OpenLink item={item} words={LOOK} />
          {button(
            () =>
              void act(
                t`Access attempts on ${title} marked as reviewed.`,
                () => reviewAllAttempts(id),
                (reviewed) => reopenAttempts(id, reviewed),
              ),
          )}
        </>
      );
    case "Extend":
      return (
        <>
          {button(ask)}
          <Suspense fallback={null}>
            {isAsking && <ExtendDialog item={item} onClose={close} />}
          </Suspense>
        </>
      );
    case "Grant":
      return (
        <>
          {button(ask)}
          <Suspense fallback={null}>
            {isAsking && <GrantDialog item={item} onClose={close} />}
          </Suspense>
        </>
      );
    case "Repair":
      return (
        <>
          <OpenLink item={item} words={words} />
          {/* One that the service disabled has to be enabled first, on its page. */}
          {item.kind === "FailingWebhook" &&
            item.reason === "Failed" &&
            button(() => void act(t`Test event sent.`, () => sendTest(id)), TEST)}
        </>
      );
    case "Read":
      return <OpenLink item={item} words={words} />;
  }
}

/** Leads to where an item is dealt with. */
const OpenLink = ({ item, words }: { item: Item; words: Words }) => (
  <ButtonLink
    to={`${KINDS[item.kind].pathOf(item)}${item.kind === "UnmatchedOrder" ? "?act=rule" : ""}`}
    size="small"
    variant="outlined"
    aria-label={words.named(nameOf(item))}
    data-opens
  >
    {words.label}
  </ButtonLink>
);
