import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import { Column } from "../../ui/layout/layout";
import { Page } from "../../ui/Page";

/** Placeholder while the license is loading. */
export const LicenseSkeleton = () => (
  <Page
    title={t`License`}
    back={{ to: "/licenses", label: t`Licenses` }}
    subtitle={<Skeleton width="22ch" />}
  >
    <Column gap="l" aria-busy="true">
      <Skeleton variant="rounded" height={46} />
      <Skeleton variant="rounded" height={280} />
      <Skeleton variant="rounded" height={160} />
    </Column>
  </Page>
);
