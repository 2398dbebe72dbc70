import { t } from "@lingui/core/macro";
import { LockIcon } from "../ui/icons";
import { NoAccess } from "../ui/NoAccess";
import { Page } from "../ui/Page";

/** Shown to whoever has the address of a page about the whole service and is no system Admin. */
export default function NoServiceAccess() {
  return (
    <Page title={t`Service`}>
      <NoAccess icon={<LockIcon />} title={t`Only system Admins can open this page`}>
        {t`It is about the whole service, not about your institution. Ask whoever runs the service.`}
      </NoAccess>
    </Page>
  );
}
