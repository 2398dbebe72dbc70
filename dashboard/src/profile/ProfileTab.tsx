import { t } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import { ProfileChange } from "../api/checks";
import { api } from "../api/client";
import type { Profile } from "../api/types";
import { Form, FormProblem, SubmitButton } from "../ui/form/Form";
import { FormField } from "../ui/form/FormField";
import { useApiForm } from "../ui/form/useApiForm";
import { Column, Row } from "../ui/layout/layout";
import { LanguageSelect } from "../ui/locale/LanguageSelect";
import { Section } from "../ui/Section";
import { StatusChip } from "../ui/StatusChip";
import { notify } from "../ui/toasts/toasts";
import { ResendButton } from "../ui/UnverifiedBanner";
import { ProfileLoader } from "./ProfileLoader";
import { MyInstitutions } from "./MyInstitutions";
import styles from "./profile.module.css";
import { useProfile } from "./useProfile";

export const ProfileTab = () => (
  <ProfileLoader>
    {(profile) => (
      <Column gap="l">
        <Section
          title={t`About you`}
          subtitle={t`Other members see your name and email address next to your actions.`}
        >
          <Column gap="l">
            <Address profile={profile} />
            <NameForm profile={profile} />
          </Column>
        </Section>
        <Section title={t`Display`} subtitle={t`The language applies to this browser only.`}>
          <LanguageSelect />
        </Section>
        <MyInstitutions profile={profile} />
      </Column>
    )}
  </ProfileLoader>
);

const Address = ({ profile }: { profile: Profile }) => (
  <div>
    <Typography variant="caption" color="textSecondary" component="p">
      {t`Email address`}
    </Typography>
    <Row gap="s" wraps>
      <Typography component="span" className={styles.address}>
        {profile.email}
      </Typography>
      <StatusChip status={profile.emailVerified ? "Verified" : "Not verified"} />
      {!profile.emailVerified && <ResendButton />}
    </Row>
  </div>
);

function NameForm({ profile }: { profile: Profile }) {
  const { hasChanged } = useProfile();
  const form = useApiForm({
    values: { fullName: profile.fullName },
    checks: ProfileChange,
    send: async (body) => {
      await api.PUT("/api/auth/me", { body });
      await hasChanged();
      notify(t`Name changed.`, { type: "info" });
    },
  });
  return (
    <Form form={form}>
      <Column gap="l" align="start" className={styles.form}>
        <FormField {...form.field("fullName")} label={t`Full name`} autoComplete="name" />
        <FormProblem />
        {!profile.accountClosed && <SubmitButton>{t`Save`}</SubmitButton>}
      </Column>
    </Form>
  );
}
