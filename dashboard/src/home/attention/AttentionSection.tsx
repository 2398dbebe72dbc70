import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { DoneIcon } from "../../ui/icons";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import { AttentionCard } from "./AttentionCard";
import { useAttention } from "./useAttention";

/** What needs attention now, with links to where to deal with it. */
export function AttentionSection({ institutionId }: { institutionId: string }) {
  const { kinds, error, refetch } = useAttention(institutionId);
  return (
    <Section title="Needs attention">
      {error && !kinds ? (
        <ProblemAlert error={error} retry={() => void refetch()} />
      ) : !kinds ? (
        <Skeleton variant="rounded" height={48} />
      ) : kinds.length === 0 ? (
        <Stack direction="row" sx={{ gap: 1.5, alignItems: "center", minHeight: 48 }}>
          <DoneIcon color="var(--good)" aria-hidden />
          <Typography>
            All good.{" "}
            <Typography component="span" color="textSecondary">
              Nothing needs your attention.
            </Typography>
          </Typography>
        </Stack>
      ) : (
        <Box
          sx={{
            display: "grid",
            gap: 3,
            gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 180px), 1fr))",
          }}
        >
          {kinds.map((kind) => (
            <AttentionCard key={kind.name} kind={kind} />
          ))}
        </Box>
      )}
    </Section>
  );
}
