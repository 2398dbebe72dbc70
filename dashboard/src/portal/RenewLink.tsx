import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import type { Schemas } from "../api/types";
import { isLink } from "../ui/links";
import { MODEL_TRAITS } from "../ui/models";
import type { Vendor } from "../ui/vendor/vendor";
import { amountOf, isLow } from "./licenseText";
import styles from "./portal.module.css";

/** What the vendor's page is opened for: a longer term, or more of a balance; null for neither. */
function purposeOf(license: Schemas["PortalLicense"]): string | null {
  const { status, expirationDate, updatesUntil } = license;
  const { meter } = MODEL_TRAITS[license.type];
  if (status === "Active" && meter)
    return meter === "uses" ? t`Get more uses` : t`Get more credits`;
  const ends = expirationDate !== null || updatesUntil !== null;
  return ends && (status === "Active" || status === "Expired") ? t`Renew` : null;
}

interface RenewLinkProps {
  license: Schemas["PortalLicense"];
  size?: "small" | "medium";
}

/** The button to where the vendor renews a license, if the vendor names a place. */
export function RenewLink({ license, size = "medium" }: RenewLinkProps) {
  const { renewUrl, status } = license;
  const purpose = purposeOf(license);
  if (!isLink(renewUrl) || purpose === null) return null;
  return (
    <Button
      component="a"
      href={renewUrl}
      target="_blank"
      rel="noreferrer"
      size={size}
      variant={status === "Expired" || isLow(license) ? "contained" : "outlined"}
    >
      {purpose}
    </Button>
  );
}

interface LowBalanceProps {
  license: Schemas["PortalLicense"];
  vendor: Vendor | undefined;
}

/** Says that little is left of the balance, and where to get more: in the shop, else from the vendor. */
export function LowBalance({ license, vendor }: LowBalanceProps) {
  const isEmpty = license.meterBalance === 0;
  const left = amountOf(license) ?? "";
  return (
    <Alert severity={isEmpty ? "error" : "warning"} action={<RenewLink license={license} />}>
      {isEmpty ? t`The balance is used up.` : t`The balance is low: ${left}.`}{" "}
      {!isLink(license.renewUrl) && <AskForMore license={license} vendor={vendor} />}
    </Alert>
  );
}

function AskForMore({ license, vendor }: LowBalanceProps) {
  const seller = vendor?.displayName ?? license.issuer ?? license.institutionName;
  const email = vendor?.supportEmail;
  if (!email) return t`Ask ${seller} for more.`;
  return (
    <Trans>
      Ask {seller} for more:{" "}
      <a href={`mailto:${email}`} className={styles.mail}>
        {email}
      </a>
    </Trans>
  );
}
