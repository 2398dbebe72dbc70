import type { License } from "../../api/types";
import { StatusChip } from "../StatusChip";
import { type Answer, answerInList } from "./answer";

interface LicenseChipProps {
  license: License;
  /** Where more is known of the license than a list knows. */
  answer?: Answer;
}

/** The status of a license, or what one that is active lacks: the same words wherever it stands. */
export const LicenseChip = ({ license, answer = answerInList(license) }: LicenseChipProps) => (
  <StatusChip status={license.status} {...shortOf(answer)} />
);

/** What a chip says in place of the status. */
export const shortOf = ({ short, tone }: Answer) => (short ? { label: short, tone } : {});
