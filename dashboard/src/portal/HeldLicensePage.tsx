import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Skeleton from "@mui/material/Skeleton";
import type { ReactNode } from "react";
import type { Schemas } from "../api/types";
import { CopyField } from "../ui/CopyField";
import { DescriptionList } from "../ui/DescriptionList";
import { Column } from "../ui/layout/layout";
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
          <Column gap="l" aria-busy>
            <Skeleton variant="rounded" height={200} />
            <Skeleton variant="rounded" height={160} />
          </Column>
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
      <Column gap="l">
        {advice && <Alert severity="warning">{advice}</Alert>}
        <Section title={t`License`}>
          <Column gap="l">
            <CopyField label={t`License key`} value={license.licenseKey} />
            <DescriptionList facts={[...factsOf(license), ...(moreFacts ?? [])]} />
          </Column>
        </Section>
        {children}
      </Column>
    </Page>
  );
}
