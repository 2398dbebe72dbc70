import { plural, t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import CardContent from "@mui/material/CardContent";
import Typography from "@mui/material/Typography";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { $api, api, at } from "../../api/client";
import type { Schemas } from "../../api/types";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { actorWords, eventLink } from "../../ui/events";
import { DateField } from "../../ui/dates/DateField";
import { FormDialog } from "../../ui/form/FormDialog";
import { useApiForm } from "../../ui/form/useApiForm";
import { utcTime } from "../../ui/formats";
import { Column, Row } from "../../ui/layout/layout";
import { eventsOf } from "../../ui/licenseEvents";
import { DataList } from "../../ui/list/DataList";
import { useListContext } from "../../ui/list/useList";
import { Muted } from "../../ui/Muted";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { StatusChip } from "../../ui/StatusChip";
import { TestChip } from "../../ui/TestChip";
import { Timeline, type TimelineEvent } from "../../ui/Timeline";
import { useAct } from "../../ui/useAct";
import type { TabProps } from "../parts/TabProps";
import styles from "./clock.module.css";

const CLOCKS = "/api/test-clocks";
const WHILE_ADVANCING_MS = 1_000;
const DAYS = [1, 7, 30] as const;

type Clock = Schemas["ProductClock"];

/** The clock of a product, which is followed while it advances. */
function useClock(productId: string) {
  return $api.useQuery(
    "get",
    CLOCKS,
    { params: { query: { productId } } },
    {
      refetchInterval: ({ state }) =>
        !state.error && state.data?.items[0]?.status === "Advancing" && WHILE_ADVANCING_MS,
    },
  );
}

/** Fetches what else the page shows again when the clock has moved. */
function useWhatFollows({ now, status }: Clock): void {
  const queries = useQueryClient();
  const moment = `${now} ${status}`;
  const shown = useRef(moment);
  useEffect(() => {
    if (shown.current === moment) return;
    shown.current = moment;
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== CLOCKS });
  }, [moment, queries]);
}

/** The clock of a Test product: set up, moved forward, removed, and what happened by it. */
export function TestClockSection({ product, manage }: TabProps) {
  const { data, error, refetch } = useClock(product.id);
  const clock = data?.items[0];
  if (error && !data) return <ProblemAlert error={error} retry={() => void refetch()} />;
  if (!data) return null;
  if (!clock) return <NoClock product={product} manage={manage} />;
  return <ClockView key={clock.id} clock={clock} manage={manage} />;
}

function NoClock({ product, manage }: TabProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <Section
      title={t`Test clock`}
      help="test-products"
      actions={
        manage && (
          <Button size="small" variant="outlined" onClick={() => setAsking(true)}>
            {t`Set up test clock`}
          </Button>
        )
      }
    >
      <Muted>
        {t`This product goes by the present. With a clock of its own, its trials, reminders and renewals of a year pass in a minute.`}
      </Muted>
      {isAsking && <SetUpDialog productId={product.id} onClose={() => setAsking(false)} />}
    </Section>
  );
}

/** What the clock does, beside its time. */
function stateText({ status, target, createdAt, updatedAt }: Clock): string | null {
  if (status === "Advancing")
    return target === null
      ? t`On its way to the next event.`
      : t`On its way to ${{ time: utcTime(target) }}.`;
  const hasLooked = target === null && updatedAt !== createdAt;
  return status === "Ready" && hasLooked
    ? t`When it last looked for the next event, nothing was due.`
    : null;
}

function ClockView({ clock, manage }: { clock: Clock; manage: boolean }) {
  useWhatFollows(clock);
  const [removal, setRemoval] = useState<"asked" | "done" | null>(null);
  const state = stateText(clock);
  return (
    <>
      <Section
        title={t`Test clock`}
        help="test-products"
        actions={
          manage && (
            <Button size="small" color="error" onClick={() => setRemoval("asked")}>
              {t`Remove test clock`}
            </Button>
          )
        }
      >
        <Column gap="m">
          <Row gap="s" wraps role="status">
            <time className={styles.now} dateTime={clock.now}>
              {utcTime(clock.now)}
            </time>
            <TestChip />
            <StatusChip status={clock.status} />
            {state !== null && <Muted>{state}</Muted>}
          </Row>
          {clock.status === "Failed" && (
            <Alert severity="error">
              {t`The clock stopped at a fault, and stands where it failed. Advance it again: it goes on from there, and nothing happens twice. If it stops at the same time again, the log of the server says why.`}
            </Alert>
          )}
          {manage && <Steps clock={clock} />}
        </Column>
        {removal === "asked" && (
          <RemoveDialog
            clock={clock}
            onRemoved={() => setRemoval("done")}
            onClose={() => setRemoval((now) => (now === "done" ? now : null))}
          />
        )}
      </Section>
      <ClockEvents clock={clock} enabled={removal === null} />
    </>
  );
}

/** How far the clock can be moved; one step at a time. */
function Steps({ clock }: { clock: Clock }) {
  const [isAsking, setAsking] = useState(false);
  const { busy, act } = useAct();
  const isMoving = busy || clock.status === "Advancing";
  const advance = (body: Schemas["ClockAdvanceRequest"]) =>
    void act(t`The test clock is on its way.`, () =>
      api.POST("/api/test-clocks/{clockId}/advance", { ...at({ clockId: clock.id }), body }),
    );
  return (
    <Row gap="s" wraps role="group" aria-label={t`Advance the test clock`}>
      {DAYS.map((days) => (
        <Button key={days} variant="outlined" disabled={isMoving} onClick={() => advance({ days })}>
          {plural(days, { one: "Advance # day", other: "Advance # days" })}
        </Button>
      ))}
      <Button
        variant="outlined"
        disabled={isMoving}
        onClick={() => advance({ until: "NextEvent" })}
      >
        {t`Advance to the next event`}
      </Button>
      <Button variant="outlined" disabled={isMoving} onClick={() => setAsking(true)}>
        {t`Advance to a time`}
      </Button>
      {isAsking && <AdvanceDialog clock={clock} onClose={() => setAsking(false)} />}
    </Row>
  );
}

interface RemoveDialogProps {
  clock: Clock;
  onRemoved: () => void;
  onClose: () => void;
}

const RemoveDialog = ({ clock, onRemoved, onClose }: RemoveDialogProps) => (
  <ConfirmDialog
    title={t`Remove test clock`}
    action={t`Remove test clock`}
    danger
    consequence={t`The product goes by the present again, and keeps what it has, with dates that may lie ahead. A license that ended only by the clock is valid again. This cannot be undone: a new clock starts at the present.`}
    onConfirm={() =>
      api.DELETE("/api/test-clocks/{clockId}", at({ clockId: clock.id })).then(onRemoved)
    }
    done={t`Test clock removed.`}
    onClose={onClose}
  />
);

/** What a field for a time holds, `2027-01-31T09:30`, as an instant of UTC. */
const instantOf = (typed: string): string => new Date(`${typed}Z`).toISOString();

/** An instant as such a field holds it. */
const typedOf = (instant: Date): string => instant.toISOString().slice(0, 16);

const DAY_MS = 86_400_000;

interface SetUpDialogProps {
  productId: string;
  onClose: () => void;
}

/** Gives a Test product a clock, from the present or ahead of it. */
function SetUpDialog({ productId, onClose }: SetUpDialogProps) {
  const form = useApiForm({
    values: { now: "" },
    send: ({ now }) =>
      api.POST("/api/test-clocks", {
        body: { productId, ...(now !== "" && { now: instantOf(now) }) },
      }),
    done: t`Test clock set up.`,
  });
  return (
    <FormDialog form={form} title={t`Set up test clock`} action={t`Set up`} onClose={onClose}>
      <Typography color="textSecondary">
        {t`From now on, licenses of this product start, remind and end by the clock. It stands still until you advance it, and never goes back.`}
      </Typography>
      <DateField
        {...form.field("now")}
        writing="moment"
        label={t`Start (UTC)`}
        helperText={t`Empty for the present.`}
        fault={(typed) =>
          typed !== "" && Date.parse(`${typed}Z`) < Date.now()
            ? t`Choose a time that is not over.`
            : undefined
        }
      />
    </FormDialog>
  );
}

interface AdvanceDialogProps {
  clock: Schemas["ProductClock"];
  onClose: () => void;
}

/** Moves a test clock to a time. */
function AdvanceDialog({ clock, onClose }: AdvanceDialogProps) {
  const form = useApiForm({
    values: { to: typedOf(new Date(Date.parse(clock.now) + DAY_MS)) },
    send: ({ to }) =>
      api.POST("/api/test-clocks/{clockId}/advance", {
        ...at({ clockId: clock.id }),
        body: { to: instantOf(to) },
      }),
    done: t`The test clock is on its way.`,
  });
  return (
    <FormDialog form={form} title={t`Advance to a time`} action={t`Advance`} onClose={onClose}>
      <DateField
        {...form.field("to")}
        writing="moment"
        label={t`Time (UTC)`}
        required
        helperText={t`The clock stands at ${{ time: utcTime(clock.now) }}. Everything that is due on the way happens.`}
        fault={(typed) =>
          typed !== "" && Date.parse(`${typed}Z`) < Date.parse(clock.now)
            ? t`Choose a later time than that of the clock.`
            : undefined
        }
      />
    </FormDialog>
  );
}

type ClockEvent = Schemas["ClockEvent"];

const REFRESH_MS = 15_000;
const SHOWN = 10;

interface ClockEventsProps {
  clock: Clock;
  /** False once it is being removed, and its events with it. */
  enabled: boolean;
}

/** What happened by a test clock, newest first, at its instants. */
const ClockEvents = ({ clock, enabled }: ClockEventsProps) => (
  <DataList
    path={`test-clocks/${clock.id}/events`}
    part={t`What happened by the test clock`}
    sort="-occurredAt"
    pageSize={SHOWN}
    inUrl={false}
    enabled={enabled}
    refetchInterval={REFRESH_MS}
  >
    <ClockTimeline clock={clock} />
  </DataList>
);

function ClockTimeline({ clock }: { clock: Clock }) {
  const { items } = useListContext<ClockEvent>();
  return (
    <CardContent>
      <Timeline events={items && stepsOf(items, clock)} />
    </CardContent>
  );
}

/** That somebody moved the clock; undefined for everything else. */
function movedText({ changes }: ClockEvent): string | undefined {
  const moved = changes?.["testClock"] as [string | null, string | null] | undefined;
  if (!moved) return undefined;
  const [from, to] = moved;
  if (from === null) return t`The test clock was set up`;
  return to === null
    ? t`The test clock was sent to the next event`
    : t`The test clock was sent to ${{ time: utcTime(to) }}`;
}

/** The events as they stand in the timeline: which license it was, and when by the clock. */
const stepsOf = (events: readonly ClockEvent[], clock: Clock): TimelineEvent[] =>
  eventsOf(events).map((event, place) => {
    const item = events[place] as ClockEvent;
    const { type, at, subjectId, data } = item;
    const moved = movedText(item);
    const name = typeof data["licenseName"] === "string" ? data["licenseName"] : null;
    return {
      ...event,
      occurredAt: at,
      when: utcTime(at),
      ...(moved === undefined
        ? {
            subject: [name, event.subject].filter(Boolean).join(" · "),
            to: eventLink({ ...clock, kind: type, subjectId, data }),
          }
        : { sentence: moved, subject: actorWords(item.actorKind, item.actorName) }),
    };
  });
