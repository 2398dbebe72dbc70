import Box from "@mui/material/Box";
import Card from "@mui/material/Card";
import Checkbox from "@mui/material/Checkbox";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { License } from "../../api/types";
import { MODEL_LABELS } from "../../ui/labels";
import { ExpiryCell, NameCell, IssuedToCell, StatusCell, UseCell } from "./ListCells";
import { useLicenseList } from "./useLicenseList";

interface LicenseCardProps {
  license: License;
  selected: boolean;
  /** Omitted if the user cannot select licenses. */
  onToggle?: () => void;
}

const LicenseCard = ({ license, selected, onToggle }: LicenseCardProps) => (
  <Card component="li" sx={{ p: 1.5, minWidth: 0 }}>
    <Stack direction="row" sx={{ gap: 0.5, alignItems: "flex-start" }}>
      {onToggle && (
        <Checkbox
          size="small"
          checked={selected}
          onChange={onToggle}
          sx={{ mt: -0.75, ml: -1 }}
          slotProps={{ input: { "aria-label": `Select ${license.licenseName}` } }}
        />
      )}
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <NameCell license={license} />
        <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
          {license.productName} {license.releaseVersion} · {MODEL_LABELS[license.type]}
        </Typography>
        <IssuedToCell license={license} />
        <Stack direction="row" sx={{ mt: 1, gap: 2, flexWrap: "wrap", alignItems: "flex-start" }}>
          <StatusCell license={license} />
          {(license.meterBalance !== null || license.maxActiveUsersCount !== null) && (
            <UseCell license={license} />
          )}
          <ExpiryCell license={license} />
        </Stack>
      </Box>
    </Stack>
  </Card>
);

/** The licenses as cards, for small screens. */
export function ListCards({ selectable }: { selectable: boolean }) {
  const { data, selectedIds, onToggleItem } = useLicenseList();
  return (
    <Box
      component="ul"
      aria-label="Licenses"
      sx={{
        m: 0,
        p: 0,
        listStyle: "none",
        display: "grid",
        gap: 1.5,
        gridTemplateColumns: "repeat(auto-fill, minmax(min(100%, 340px), 1fr))",
      }}
    >
      {data?.map((license) => (
        <LicenseCard
          key={license.id}
          license={license}
          selected={selectedIds.includes(license.id)}
          {...(selectable && {
            onToggle: () => {
              onToggleItem(license.id);
            },
          })}
        />
      )) ??
        Array.from({ length: 6 }, (_, index) => (
          <Skeleton key={index} component="li" variant="rounded" height={150} />
        ))}
    </Box>
  );
}
