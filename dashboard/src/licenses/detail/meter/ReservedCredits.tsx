import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { License } from "../../../api/types";
import { date } from "../../../ui/formats";
import { Muted } from "../../../ui/Muted";
import { amountText } from "../../../ui/quantities";
import type { Column } from "../../../ui/table/Row";
import { nameOf } from "../../../ui/devices/deviceActions";
import { isAway, type Lease, type LeaseWords } from "../leases/leaseActions";
import { LeaseList } from "../leases/LeaseList";
import { meterOf } from "../traits";

/** What devices of the license have reserved, to spend it without a network. */
export function ReservedCredits({ license }: { license: License }) {
  const textOf = (amount: number | null) => amountText(amount ?? 0, meterOf(license));
  const isOffered = license.maxOfflineCredits !== null && license.maxBorrowDays > 0;
  return (
    <LeaseList
      license={license}
      kind="Credits"
      columns={COLUMNS}
      afterEnd={(lease) =>
        isAway(lease) &&
        lease.settlesAt !== null && (
          <Muted component="div">
            {license.onUnreturned === "Charge"
              ? t`Rest charged on ${{ day: date(lease.settlesAt) }}`
              : t`Rest returned on ${{ day: date(lease.settlesAt) }}`}
          </Muted>
        )
      }
      words={{
        label: t`Reserved credits`,
        none: {
          title: t`Nothing is reserved`,
          text: isOffered
            ? t`What an application reserves appears here until it is settled, and afterwards.`
            : t`Edit the license to let applications reserve a part of the balance, and to spend it without a network.`,
        },
        states: STATES,
        forced: t`Rest returned by an operator`,
        copied: t`The device reserves nothing else`,
        actionsOf: (lease) => actionsOf(lease, textOf(lease.held)),
      }}
    />
  );
}

const STATES: Record<Lease["state"], string> = {
  Open: t({ message: "Reserved", context: "credits" }),
  Returned: t`Returned`,
  Ended: t`Ended`,
  Forked: t`Used by a copy`,
};

const COLUMNS: readonly Column<Lease>[] = [
  { key: "quantity", label: t`Amount`, align: "end", as: "number" },
  { key: "spent", label: t`Spent`, align: "end", as: "number" },
  { key: "held", label: t`Held`, align: "end", as: "number" },
  { key: "lastReportAt", label: t`Last report`, as: "ago" },
];

function actionsOf(lease: Lease, held: string): LeaseWords {
  const name = nameOf(lease);
  const until = date(lease.endsAt);
  return {
    recall: {
      label: t`Recall`,
      title: t`Recall reservation`,
      done: t`The reservation of ${name} is not renewed any more.`,
      consequence: (
        <Trans>
          <b>{name}</b> can spend what it reserved until {until}, or until it returns it, but cannot
          keep it longer. This cannot be undone, but the device can reserve again.
        </Trans>
      ),
    },
    force: {
      label: t`Recall by force`,
      title: t`Recall by force`,
      done: t`${held} returned to the balance.`,
      consequence: (
        <Trans>
          This returns {held} to the balance at once and ends the reservation. <b>{name}</b> works
          without the server and can spend as much until {until}, but nothing that it has not
          reported by now is charged. Do this only if the device is lost.
        </Trans>
      ),
    },
    acknowledge: {
      label: t`Let it reserve again`,
      title: t`Let the device reserve again`,
      done: t`${name} may reserve again.`,
      consequence: (
        <Trans>
          What <b>{name}</b> reserved was spent by a copy of its data, too, or its data was put back
          from an older state. Ask the customer first which of the two it was.
        </Trans>
      ),
    },
  };
}
