import { t } from "@lingui/core/macro";
import Accordion from "@mui/material/Accordion";
import AccordionDetails from "@mui/material/AccordionDetails";
import AccordionSummary from "@mui/material/AccordionSummary";
import Typography from "@mui/material/Typography";
import type { Schemas } from "../../api/types";
import { DescriptionList } from "../../ui/DescriptionList";
import { ExpandIcon } from "../../ui/icons";

/** The names that a text may have in braces, and what they stand for. */
export const PlaceholderList = ({
  placeholders,
}: {
  placeholders: Schemas["MailPlaceholder"][];
}) => (
  <Accordion variant="outlined" disableGutters>
    <AccordionSummary expandIcon={<ExpandIcon />}>
      <Typography component="h3">{t`Placeholders`}</Typography>
    </AccordionSummary>
    <AccordionDetails>
      <DescriptionList
        facts={placeholders.map(({ name, description }) => [`{${name}}`, description] as const)}
      />
    </AccordionDetails>
  </Accordion>
);
