import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { License } from "../../../api/types";
import { date, dateTime } from "../../../ui/formats";
import { nameOf } from "../../../ui/devices/deviceActions";
import type { Lease, LeaseWords } from "../leases/leaseActions";
import { LeaseList } from "../leases/LeaseList";

/** The seats that devices of the license have borrowed. */
export const BorrowedSeats = ({ license }: { license: License }) => (
  <LeaseList
    license={license}
    kind="Seat"
    columns={[{ key: "issuedAt", label: t`Borrowed`, sort: true, from: "md", as: "dateTime" }]}
    words={{
      label: t`Borrowed seats`,
      none: {
        title: t`No borrowed seats`,
        text:
          license.maxBorrowDays > 0
            ? t`A seat that an application borrows appears here until it is returned, and afterwards.`
            : t`Edit the license to let applications borrow seats, and to use them without a network.`,
      },
      states: STATES,
      summaryOf: ({ endsAt }) => t`Borrowed until ${{ end: dateTime(endsAt) }}`,
      forced: t`Freed by an operator`,
      copied: t`The device borrows no other seat`,
      actionsOf,
    }}
  />
);

const STATES: Record<Lease["state"], string> = {
  Open: t`Away`,
  Returned: t`Returned`,
  Ended: t`Ended`,
  Forked: t`Used by a copy`,
};

function actionsOf(lease: Lease): LeaseWords {
  const name = nameOf(lease);
  const until = date(lease.endsAt);
  return {
    recall: {
      label: t`Recall`,
      title: t`Recall seat`,
      done: t`The seat of ${name} is not renewed any more.`,
      consequence: (
        <Trans>
          <b>{name}</b> cannot keep the seat longer than until {until}. It keeps it until then, or
          until it returns it. This cannot be undone, but the device can borrow a seat again.
        </Trans>
      ),
    },
    force: {
      label: t`Free seat now`,
      title: t`Free seat now`,
      done: t`The seat of ${name} is free.`,
      consequence: (
        <Trans>
          <b>{name}</b> works without the server until {until}, whatever is done here. This gives
          its seat to others at once, so until then one copy more than the license has seats can be
          in use. Do this only if the device is lost.
        </Trans>
      ),
    },
    acknowledge: {
      label: t`Let it borrow again`,
      title: t`Let the device borrow again`,
      done: t`${name} may borrow a seat again.`,
      consequence: (
        <Trans>
          The seat of <b>{name}</b> was used by a copy of its data, or its data was put back from an
          older state. Ask the customer first which of the two it was.
        </Trans>
      ),
    },
  };
}
