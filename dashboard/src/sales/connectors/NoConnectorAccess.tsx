import { t } from "@lingui/core/macro";
import { ConnectorIcon } from "../../ui/icons";
import { NoAccess } from "../../ui/NoAccess";

/** Shown to users who may not manage connectors. */
export const NoConnectorAccess = () => (
  <NoAccess
    icon={<ConnectorIcon />}
    title={t`Only Owners and Admins can manage connectors`}
    to={{ path: "/orders", label: t`Go to Orders` }}
  >
    {t`Connectors turn the sales of your shop into licenses. If one is missing, ask an Owner or Admin of your institution.`}
  </NoAccess>
);
