import { t } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import { DescriptionList } from "../../../ui/DescriptionList";

export function Metadata({ pairs }: { pairs: Record<string, string> }) {
  const facts = Object.entries(pairs);
  if (facts.length === 0)
    return (
      <Typography color="textSecondary">
        {t`None. Metadata is delivered to your application with the license.`}
      </Typography>
    );
  return <DescriptionList facts={facts} />;
}
