import { t } from "@lingui/core/macro";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import { Page } from "../../ui/Page";

/** Placeholder while the license is loading. */
export const LicenseSkeleton = () => (
  <Page
    title={t`License`}
    back={{ to: "/licenses", label: t`Licenses` }}
    subtitle={<Skeleton width="22ch" />}
  >
    <Stack sx={{ gap: 2.5 }} aria-busy="true">
      <Skeleton variant="rounded" height={46} />
      <Skeleton variant="rounded" height={280} />
      <Skeleton variant="rounded" height={160} />
    </Stack>
  </Page>
);
