import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { Link } from "react-router";
import { AddIcon } from "../ui/icons";
import { Page } from "../ui/Page";
import { useCan, useInstitution } from "../ui/useInstitution";
import { Activity } from "./Activity";
import styles from "./home.module.css";
import { Inbox } from "./inbox/Inbox";
import { InstitutionSteps } from "./InstitutionSteps";
import { KeyFigures } from "./KeyFigures";
import { PeriodFigures } from "./PeriodFigures";
import { RecentTrends } from "./RecentTrends";

/** The home page of an institution: first what waits, then how things are. */
export function InstitutionHome({ institutionId }: { institutionId: string }) {
  const { institutionName } = useInstitution();
  const { manage } = useCan();
  return (
    <Page
      title={t`Home`}
      subtitle={institutionName}
      actions={
        manage && (
          <Button component={Link} to="/licenses/new" variant="contained" startIcon={<AddIcon />}>
            {t`Issue license`}
          </Button>
        )
      }
    >
      <div className={styles.parts}>
        <InstitutionSteps institutionId={institutionId} />
        <Inbox institutionId={institutionId} />
        <KeyFigures institutionId={institutionId} />
        <PeriodFigures institutionId={institutionId} />
        <div className={styles.halves}>
          <RecentTrends institutionId={institutionId} />
          <Activity institutionId={institutionId} />
        </div>
      </div>
    </Page>
  );
}
