import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { api, at } from "../../api/client";
import { Column, Row } from "../../ui/layout/layout";
import { Muted } from "../../ui/Muted";
import { useAct } from "../../ui/useAct";
import { ReportChoice } from "./ReportChoice";
import { MORNING, REPORT, REPORTS, type Report } from "./reports";
import styles from "./orders.module.css";

const ADDRESSES_MAX = 10;

interface OutsideReportsProps {
  institutionId: string;
  reports: Report[];
}

/** The addresses outside the team that receive reports, and one more. */
export function OutsideReports({ institutionId, reports }: OutsideReportsProps) {
  const { busy, act } = useAct();
  const [email, setEmail] = useState("");
  const added = reports.flatMap((report) =>
    report.email ? [{ ...report, email: report.email }] : [],
  );
  const add = () =>
    act(t`Reports go to ${email}.`, async () => {
      const body = { email, period: "Month" as const, timeOfDay: MORNING };
      await api.POST(REPORTS, { ...at({ institutionId }), body });
      setEmail("");
    });
  const remove = (report: (typeof added)[number]) =>
    act(t`${{ name: report.email }} gets no more reports.`, () =>
      api.DELETE(REPORT, at({ institutionId, userId: report.id })),
    );
  return (
    <Column as="section" gap="m" aria-labelledby="outside-title">
      <div>
        <h3 id="outside-title" className={styles.fold}>{t`Outside the team`}</h3>
        <Muted>{t`An accountant, for example. Each email has a link that stops it for its recipient. Who you add is in the audit log.`}</Muted>
      </div>
      {added.map((report) => (
        <ReportChoice
          key={report.id}
          institutionId={institutionId}
          reader={{ id: report.id, name: report.email, email: report.email }}
          report={report}
        >
          <Button disabled={busy} onClick={() => void remove(report)}>{t`Remove`}</Button>
        </ReportChoice>
      ))}
      {added.length < ADDRESSES_MAX ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void add();
          }}
        >
          <Row gap="m" wraps>
            <div className={styles.reader}>
              <TextField
                type="email"
                label={t`Email address`}
                required
                fullWidth
                autoComplete="off"
                value={email}
                onChange={(event) => setEmail(event.target.value)}
              />
            </div>
            <Button type="submit" variant="outlined" disabled={busy || !email}>
              {t`Add address`}
            </Button>
          </Row>
        </form>
      ) : (
        <Muted>{t`Reports go to at most ${{ most: ADDRESSES_MAX }} addresses outside the team.`}</Muted>
      )}
    </Column>
  );
}
