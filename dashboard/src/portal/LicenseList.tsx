import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Tooltip from "@mui/material/Tooltip";
import { Link } from "react-router";
import type { Schemas } from "../api/types";
import { useCopy } from "../ui/CopyButton";
import { ProductEmblem } from "../ui/Emblem";
import { CheckIcon, CopyIcon } from "../ui/icons";
import { StatusChip } from "../ui/StatusChip";
import { AmountAnswer, TermAnswer } from "./Answers";
import styles from "./licenseList.module.css";
import { isRenewalDue } from "./licenseText";
import { RenewLink } from "./RenewLink";

type PortalLicense = Schemas["PortalLicense"];

/** The licenses of the user, one a line; a line opens its license. */
export function LicenseList({ licenses }: { licenses: readonly PortalLicense[] }) {
  const vendors = new Set(licenses.map(({ institutionName }) => institutionName));
  return (
    <ul aria-label={t`Licenses`} className={styles.list}>
      {licenses.map((license) => (
        <LicenseRow key={license.id} license={license} namesVendor={vendors.size > 1} />
      ))}
    </ul>
  );
}

interface LicenseRowProps {
  license: PortalLicense;
  /** Whether the licenses beside it are of other vendors. */
  namesVendor: boolean;
}

function LicenseRow({ license, namesVendor }: LicenseRowProps) {
  const { id, productName, licenseName, issuer, institutionName, status } = license;
  return (
    <li className={styles.row}>
      <ProductEmblem name={productName} size="medium" />
      <Link to={`/portal/licenses/${id}`} className={styles.open}>
        <bdi className={styles.product}>{productName}</bdi>{" "}
        <bdi className={styles.name}>
          {namesVendor ? `${licenseName} · ${issuer ?? institutionName}` : licenseName}
        </bdi>
      </Link>
      <div className={styles.facts}>
        <div className={styles.term}>
          {status !== "Active" && <StatusChip status={status} />}
          <span>
            <TermAnswer license={license} />
          </span>
        </div>
        <div className={styles.amount}>
          <AmountAnswer license={license} />
        </div>
      </div>
      <div className={styles.acts}>
        {isRenewalDue(license) && <RenewLink license={license} size="small" />}
        <CopyKey license={license} />
      </div>
    </li>
  );
}

/** Copies the license key, which is what most come for. */
function CopyKey({ license: { licenseKey, licenseName } }: { license: PortalLicense }) {
  const { copied, copy } = useCopy(licenseKey);
  return (
    <Tooltip title={copied ? t`Copied` : ""}>
      <Button
        size="small"
        className={styles.copy}
        startIcon={copied ? <CheckIcon color="var(--good)" /> : <CopyIcon />}
        aria-label={t`Copy key of ${licenseName}`}
        onClick={copy}
      >
        <span className={styles.words}>{t`Copy key`}</span>
      </Button>
    </Tooltip>
  );
}
