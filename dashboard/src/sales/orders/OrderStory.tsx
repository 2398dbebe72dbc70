import { t } from "@lingui/core/macro";
import { useQueries } from "@tanstack/react-query";
import { $api } from "../../api/client";
import { dateTime, money } from "../../ui/formats";
import { eventsOf, type LicenseEvent } from "../../ui/licenseEvents";
import { Muted } from "../../ui/Muted";
import { Section } from "../../ui/Section";
import { Timeline, type TimelineEvent } from "../../ui/Timeline";
import { useMemberNames } from "../../ui/useMemberNames";
import type { Connector } from "../connector";
import type { OrderDetails } from "../order";
import { useConnector } from "./useConnector";

type License = OrderDetails["licenses"][number];
type Payment = OrderDetails["payments"][number];
type Cause = "refund" | "dispute";

/** What happened, with the payment that may be why the connector then did something. */
interface StoryEvent extends TimelineEvent {
  cause?: Cause | undefined;
}

/** The events of licenses that belong to the story of an order; the rest is on their own pages. */
const KINDS: ReadonlySet<string> = new Set([
  "license.created",
  "license.renewed",
  "license.maintenance_renewed",
  "license.converted",
  "license.suspended",
  "license.reinstated",
  "license.revoked",
  "license.restored",
  "license.expired",
]);

/** More would be many requests, and no story any more. */
const LICENSES_MAX = 5;
const EVENTS_MAX = 100;
const REFRESH_MS = 15_000;
const LATE_MS = 3_600_000;

/** What moved: a sale, the same again, money back, or money back that did not arrive. */
function paymentWords({ kind, amount: figure, currency }: Payment): string {
  const amount = money(Math.abs(figure), currency);
  if (kind === "Refund") return figure < 0 ? t`Refund of ${amount} failed` : t`Refund of ${amount}`;
  return kind === "Renewal" ? t`Renewal for ${amount}` : t`Sale for ${amount}`;
}

function eventOfPayment(payment: Payment, place: number): StoryEvent {
  const isRefund = payment.kind === "Refund";
  return {
    id: `payment ${String(place)}`,
    kind: isRefund ? "order.refunded" : "order.fulfilled",
    occurredAt: payment.happenedAt,
    sentence: paymentWords(payment),
    ...(isRefund && payment.amount > 0 && { cause: "refund" as const }),
  };
}

/** When the shop reported the order, if that was not when it was paid. */
function received({ createdAt, payments, connectorName }: OrderDetails): StoryEvent[] {
  const [first] = payments;
  const lateBy = first ? Date.parse(createdAt) - Date.parse(first.happenedAt) : Infinity;
  if (lateBy < LATE_MS) return [];
  return [
    {
      id: "received",
      kind: "order.updated",
      occurredAt: createdAt,
      sentence: t`Received from ${connectorName}`,
      subject: first ? t`Later than it was paid, such as in an import` : null,
    },
  ];
}

/** Why a connector suspends and revokes, where its settings still say so. */
function ruleOf(cause: Cause, kind: string, connector: Connector | undefined): string | null {
  const now = cause === "refund" ? connector?.onRefund : connector?.onDispute;
  if (kind === "license.revoked" && now === "Revoke")
    return cause === "refund"
      ? t`Setting of the connector: refunds revoke licenses`
      : t`Setting of the connector: disputes revoke licenses`;
  if (kind === "license.suspended" && now === "Suspend")
    return cause === "refund"
      ? t`Setting of the connector: refunds suspend licenses`
      : t`Setting of the connector: disputes suspend licenses`;
  return null;
}

function whyOf(event: LicenseEvent, cause: Cause | undefined, connector: Connector | undefined) {
  const isTaken = event.type === "license.suspended" || event.type === "license.revoked";
  if (!isTaken || event.actorKind !== "Connector" || cause === undefined) return null;
  const because =
    cause === "refund" ? t`Because of the refund` : t`Because the buyer disputed the payment`;
  return [because, ruleOf(cause, event.type, connector)].filter(Boolean).join(". ");
}

/** The events of the licenses of an order, those of each license once they are known. */
function useLicenseEvents({ licenses }: OrderDetails) {
  const shown = licenses.slice(0, LICENSES_MAX);
  const found = useQueries({
    queries: shown.map(({ id }) => {
      const query = { kind: "license.*", pageSize: EVENTS_MAX, sort: "-occurredAt" };
      return {
        ...$api.queryOptions("get", "/api/licenses/{licenseId}/events", {
          params: { path: { licenseId: id }, query },
        }),
        refetchInterval: REFRESH_MS,
      };
    }),
  });
  return shown.flatMap((license, place) =>
    (found[place]?.data?.items ?? [])
      .filter(({ type }) => KINDS.has(type))
      .map((event): [License, LicenseEvent] => [license, event]),
  );
}

/** What happened first stands first; at one moment, what was paid. */
const byTime = (one: StoryEvent, other: StoryEvent) =>
  Date.parse(one.occurredAt) - Date.parse(other.occurredAt);

interface OrderStoryProps {
  order: OrderDetails;
  manage: boolean;
}

/** What happened to an order and to its licenses, when, by whom and why; oldest first. */
export function OrderStory({ order, manage }: OrderStoryProps) {
  const { payments, disputedAt, licenses, amount, refundedAmount, currency } = order;
  const nameOf = useMemberNames(order.institutionId);
  const connector = useConnector(order, manage);
  const events = useLicenseEvents(order);
  const causes: StoryEvent[] = [
    ...payments.map(eventOfPayment),
    ...(disputedAt === null
      ? []
      : [
          {
            id: "disputed",
            kind: "order.unmatched",
            occurredAt: disputedAt,
            sentence: t`The buyer disputed the payment`,
            cause: "dispute" as const,
          },
        ]),
  ];
  const causeAt = (moment: string) =>
    causes
      .filter(({ cause, occurredAt }) => cause !== undefined && occurredAt <= moment)
      .toSorted(byTime)
      .at(-1)?.cause;
  const ofLicenses = events.flatMap(([license, event]) => {
    const [shown] = eventsOf([event], nameOf);
    if (!shown) return [];
    const why = whyOf(event, causeAt(event.occurredAt), connector);
    // The reason that a connector gives is the number of the order.
    const own = shown.subject === `Order ${order.externalId}` ? null : shown.subject;
    const subject = [licenses.length > 1 && license.licenseName, why ?? own];
    const to = `/licenses/${license.id}`;
    return [{ ...shown, to, subject: subject.filter(Boolean).join(" · ") }];
  });
  const story = [...causes, ...received(order), ...ofLicenses].toSorted(byTime);
  if (story.length === 0) return null;
  const isSum = payments.length > 1 && amount !== null && currency !== null;
  return (
    <Section
      title={t({ message: "History", context: "of an order" })}
      actions={
        isSum && (
          <Muted component="span">
            {refundedAmount
              ? t`Net ${{ amount: money(amount - refundedAmount, currency) }}`
              : t`Paid in all ${{ amount: money(amount, currency) }}`}
          </Muted>
        )
      }
    >
      <Timeline events={story.map((event) => ({ ...event, when: dateTime(event.occurredAt) }))} />
      {licenses.length > LICENSES_MAX && (
        <Muted>{t`Without what happened to licenses after the first ${{ shown: LICENSES_MAX }}.`}</Muted>
      )}
    </Section>
  );
}
