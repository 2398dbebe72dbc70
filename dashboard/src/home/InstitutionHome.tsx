import Box from "@mui/material/Box";
import Stack from "@mui/material/Stack";
import { Page } from "../ui/Page";
import { useInstitution } from "../ui/useInstitution";
import { Activity } from "./Activity";
import { AttentionSection } from "./attention/AttentionSection";
import { InstitutionSteps } from "./InstitutionSteps";
import { KeyFigures } from "./KeyFigures";
import { RecentTrends } from "./RecentTrends";

/** The home page of an institution; what needs attention comes first. */
export function InstitutionHome({ institutionId }: { institutionId: string }) {
  const { institutionName } = useInstitution();
  return (
    <Page title="Home" subtitle={institutionName}>
      <Stack sx={{ gap: 2 }}>
        <InstitutionSteps institutionId={institutionId} />
        <AttentionSection institutionId={institutionId} />
        <KeyFigures institutionId={institutionId} />
        <Box
          sx={{
            display: "grid",
            gap: 2,
            alignItems: "start",
            gridTemplateColumns: {
              xs: "minmax(0, 1fr)",
              lg: "minmax(0, 3fr) minmax(0, 2fr)",
            },
          }}
        >
          <RecentTrends institutionId={institutionId} />
          <Activity institutionId={institutionId} />
        </Box>
      </Stack>
    </Page>
  );
}
