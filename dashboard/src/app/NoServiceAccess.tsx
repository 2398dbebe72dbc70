import { t } from "@lingui/core/macro";
import { LockIcon } from "../ui/icons";
import { NoAccess } from "../ui/NoAccess";
import { Page } from "../ui/Page";

/** Tells people who are not system Admins that a page about the whole service is not for them. */
export default function NoServiceAccess() {
  return (
    <Page title={t`Service`}>
      <NoAccess icon={<LockIcon />} title={t`Only system Admins can open this page`}>
        {t`This page is about the whole service, not about your institution. Ask the people who run it.`}
      </NoAccess>
    </Page>
  );
}
