import { t } from "@lingui/core/macro";
import Card from "@mui/material/Card";
import { ShieldIcon } from "../../../ui/icons";
import type { License } from "../../../api/types";
import { DataList } from "../../../ui/list/DataList";
import { EmptyState } from "../../../ui/EmptyState";
import { Column } from "../../../ui/layout/layout";
import { HelpLink } from "../../../ui/HelpLink";
import { AttemptTable } from "./AttemptTable";
import { AttemptsGuide } from "./AttemptsGuide";

const REFRESH_MS = 15_000;

/** Machines that were rejected because the license is bound to another one. */
export const AttemptsTab = ({ license }: { license: License }) => (
  <Column gap="l">
    <AttemptsGuide license={license} />
    <DataList
      path={`licenses/${license.id}/access-attempts`}
      sort="-lastSeenAt"
      refetchInterval={REFRESH_MS}
      empty={
        <Card>
          <EmptyState
            icon={<ShieldIcon />}
            title={t`No access attempts`}
            action={<HelpLink topic="access-attempts">{t`About access attempts`}</HelpLink>}
          >
            {t`Once the license is bound to a machine, any other machine that tries to validate, activate or connect with its key is rejected and recorded here.`}
          </EmptyState>
        </Card>
      }
    >
      <AttemptTable license={license} />
    </DataList>
  </Column>
);
