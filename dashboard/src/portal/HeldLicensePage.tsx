import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import type { ReactNode } from "react";
import type { Schemas } from "../api/types";
import { CopyField } from "../ui/CopyField";
import { DescriptionList } from "../ui/DescriptionList";
import { Page } from "../ui/Page";
import { ProblemAlert } from "../ui/ProblemAlert";
import { Section } from "../ui/Section";
import { StatusChip } from "../ui/StatusChip";
import { ADVICE, factsOf } from "./licenseText";

interface HeldLicensePageProps {
  /** The title until the license is loaded. */
  title: string;
  back: { to: string; label: string };
  query: {
    data: Schemas["PortalLicense"] | Schemas["ReceivedLicense"] | undefined;
    error: unknown;
    refetch: () => unknown;
  };
  moreFacts?: ReturnType<typeof factsOf>;
  children: ReactNode;
}

/** A license of the user or of their institution; `children` are the sections below the facts. */
export function HeldLicensePage({ title, back, query, moreFacts, children }: HeldLicensePageProps) {
  const license = query.data;
  if (!license)
    return (
      <Page title={title} back={back}>
        {query.error ? (
          <ProblemAlert error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Stack sx={{ gap: 2 }} aria-busy>
            <Skeleton variant="rounded" height={200} />
            <Skeleton variant="rounded" height={160} />
          </Stack>
        )}
      </Page>
    );
  const advice = ADVICE[license.status];
  return (
    <Page
      title={license.productName}
      mark={<StatusChip status={license.status} />}
      subtitle={license.licenseName}
      back={back}
    >
      <Stack sx={{ gap: 2.5 }}>
        {advice && <Alert severity="warning">{advice}</Alert>}
        <Section title={t`License`}>
          <Stack sx={{ gap: 2 }}>
            <CopyField label={t`License key`} value={license.licenseKey} />
            <DescriptionList facts={[...factsOf(license), ...(moreFacts ?? [])]} />
          </Stack>
        </Section>
        {children}
      </Stack>
    </Page>
  );
}
