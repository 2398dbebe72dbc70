import type { Schemas } from "../api/types";
import styles from "./answers.module.css";
import { amountOf, endingOf, shortageOf, termOf } from "./licenseText";
import { SeatMeter } from "./SeatMeter";

type PortalLicense = Schemas["PortalLicense"];

/** Until when a license lasts; of an end that is near, how near it is first. */
export function TermAnswer({ license }: { license: PortalLicense }) {
  const ending = endingOf(license);
  const term = termOf(license);
  if (ending === null) return term;
  return (
    <>
      <strong className={styles.warning}>{ending}</strong>
      {ending !== term && <span className={styles.more}>{term}</span>}
    </>
  );
}

/** What is left of a license, as words and, for seats, as a bar; that it is little as a warning. */
export function AmountAnswer({ license }: { license: PortalLicense }) {
  const shortage = shortageOf(license);
  return (
    <>
      {shortage === null ? (
        <span>{amountOf(license)}</span>
      ) : (
        <strong className={styles.warning}>{shortage}</strong>
      )}
      <SeatMeter license={license} />
    </>
  );
}
