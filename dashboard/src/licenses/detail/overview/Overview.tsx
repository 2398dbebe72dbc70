import Box from "@mui/material/Box";
import Stack from "@mui/material/Stack";
import type { License } from "../../../api/types";
import { Section } from "../../../ui/Section";
import { LicenseDetails } from "./LicenseDetails";
import { LicenseFile } from "./LicenseFile";
import { Metadata } from "./Metadata";
import { Notes } from "./Notes";

export const Overview = ({ license }: { license: License }) => (
  <Box
    sx={{
      display: "grid",
      gap: 2.5,
      alignItems: "start",
      gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 2fr) minmax(0, 1fr)" },
    }}
  >
    <Stack sx={{ gap: 2.5 }}>
      <LicenseDetails license={license} />
      <LicenseFile license={license} />
    </Stack>
    <Stack sx={{ gap: 2.5 }}>
      <Section title="Notes">
        <Notes text={license.notes} />
      </Section>
      <Section title="Metadata">
        <Metadata pairs={license.metadata} />
      </Section>
    </Stack>
  </Box>
);
