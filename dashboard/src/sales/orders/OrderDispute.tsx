import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import { date } from "../../ui/formats";
import { PageLink } from "../../ui/PageLink";
import type { OrderDetails } from "../order";

/** That the buyer disputes a payment, since when, and what became of the licenses. */
export function OrderDispute({ order: { disputedAt, licenses } }: { order: OrderDetails }) {
  if (disputedAt === null) return null;
  const day = date(disputedAt);
  const [first, ...others] = licenses.filter(({ status }) => status === "Suspended");
  return (
    <Alert severity="warning">
      {t`The buyer disputed a payment on ${day}.`}{" "}
      {first &&
        (others.length > 0 ? (
          t`The suspended licenses work again once the dispute is won.`
        ) : (
          <Trans>
            <PageLink to={`/licenses/${first.id}`}>The license</PageLink> is suspended until the
            dispute is won.
          </Trans>
        ))}
    </Alert>
  );
}
