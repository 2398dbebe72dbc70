import { t } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import { RichText } from "../../../ui/RichText";

/** Internal notes about the license. */
export const Notes = ({ text }: { text: string | null }) =>
  text === null ? (
    <Typography color="textSecondary">
      {t`None. Notes are for your team only; customers cannot see them.`}
    </Typography>
  ) : (
    <RichText>{text}</RichText>
  );
