import { t } from "@lingui/core/macro";
import Chip from "@mui/material/Chip";
import { Row } from "../layout/layout";

interface TagChipsProps {
  tags: readonly string[];
  /** How many are shown; the others are counted. */
  most?: number;
}

/** The tags of a license or a customer; nothing if it has none. */
export function TagChips({ tags, most = tags.length }: TagChipsProps) {
  if (tags.length === 0) return null;
  const rest = tags.slice(most);
  return (
    <Row as="ul" gap="xs" wraps aria-label={t`Tags`}>
      {tags.slice(0, most).map((tag) => (
        <Chip key={tag} component="li" size="small" variant="outlined" label={tag} dir="auto" />
      ))}
      {rest.length > 0 && (
        <Chip
          component="li"
          size="small"
          variant="outlined"
          label={`+${rest.length}`}
          title={rest.join(", ")}
        />
      )}
    </Row>
  );
}
