import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router";
import { settingsPath } from "../../ui/settingsPath";
import type { TabProps } from "../parts/TabProps";
import { EmailTemplates } from "./EmailTemplates";

/** The emails that customers get about licenses of a product. */
export const EmailsTab = ({ product, manage }: TabProps) => (
  <EmailTemplates owner={{ productId: product.id }} manage={manage}>
    {t`Emails to customers about their licenses, in your words and their language.`}
    {manage && (
      <>
        {" "}
        <Trans>
          Texts for all products are in the{" "}
          <Link component={RouterLink} to={settingsPath(product.institutionId, "emails")}>
            settings
          </Link>
          .
        </Trans>
      </>
    )}
  </EmailTemplates>
);
