import Box from "@mui/material/Box";
import Stack from "@mui/material/Stack";
import { CopyButton } from "../../ui/CopyButton";

/** An inline monospace value with a copy button. */
export const CodeValue = ({ value, label }: { value: string; label: string }) => (
  <Stack direction="row" sx={{ gap: 0.5, alignItems: "center" }}>
    <Box component="code" sx={{ fontSize: 13, overflowWrap: "anywhere", minWidth: 0 }}>
      {value}
    </Box>
    <CopyButton value={value} label={label} />
  </Stack>
);
