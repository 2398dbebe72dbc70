import { t } from "@lingui/core/macro";
import type { License } from "../../../api/types";
import { ButtonLink, PageLink } from "../../../ui/PageLink";
import { amountText } from "../../../ui/quantities";
import { useCan } from "../../../ui/useInstitution";
import { LicenseAction } from "../actions/LicenseActions";
import { useCounts, useWaitingRequests } from "../devices/queries";
import { useLatestEvents } from "../events/useLatestEvents";
import { SeatsBar } from "../SeatsBar";
import { isMetered, meterOf } from "../traits";
import type { Order } from "../useOrder";
import { type Answer, answerOf } from "../../../ui/license/answer";
import styles from "./answer.module.css";

/**
 * What the license answers now; `attempts` is how many other machines tried it, unreviewed, and
 * `order` what it came of.
 */
export function useAnswer(license: License, attempts: number, order: Order | undefined): Answer {
  const isDecided = license.status === "Suspended" || license.status === "Revoked";
  const events = useLatestEvents(license, isDecided) ?? [];
  const counts = useCounts(license);
  return answerOf(license, events, {
    attempts,
    reclaimable: counts?.reclaimableDevices ?? 0,
    pending: counts?.pendingDevices ?? 0,
    offline: useWaitingRequests(license).length,
    order,
  });
}

interface AnswerStripProps {
  license: License;
  answer: Answer;
}

/** Whether the license works, who or what stopped it, and the one thing to do about it. */
export function AnswerStrip({
  license,
  answer: { tone, sentence, because, action, tab },
}: AnswerStripProps) {
  const { manage } = useCan(license.institutionId);
  return (
    <section aria-label={t`Verdict`} className={styles.strip} data-tone={tone}>
      <p className={styles.sentence} dir="auto">
        {sentence} {because && <PageLink to={because.to}>{because.words}</PageLink>}
      </p>
      <Figure license={license} />
      {manage && action && <LicenseAction key={action} action={action} license={license} />}
      {manage && tab && (
        <ButtonLink to={`/licenses/${license.id}/${tab.path}`} variant="contained">
          {tab.label}
        </ButtonLink>
      )}
    </section>
  );
}

/** The one figure of the model: seats in use, or the balance. */
function Figure({ license }: { license: License }) {
  const { maxActiveUsersCount: seats, seatsUsed, meterBalance } = license;
  if (seats !== null)
    return (
      <div className={styles.figure}>
        <span>{t`Max active users`}</span>
        <SeatsBar used={seatsUsed ?? 0} total={seats} />
      </div>
    );
  if (!isMetered(license)) return null;
  return (
    <div className={styles.figure}>
      <span>{t`Balance`}</span>
      <PageLink to={`/licenses/${license.id}/meter`} color="inherit">
        {amountText(meterBalance ?? 0, meterOf(license))}
      </PageLink>
    </div>
  );
}
