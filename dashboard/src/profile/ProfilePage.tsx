import { t } from "@lingui/core/macro";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { PasswordChange, ProfileChange } from "../api/checks";
import { api, at } from "../api/client";
import type { Membership, Profile } from "../api/types";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { Form, FormProblem, SubmitButton } from "../ui/form/Form";
import { FormField } from "../ui/form/FormField";
import { useApiForm } from "../ui/form/useApiForm";
import { Column, Row } from "../ui/layout/layout";
import { LanguageSelect } from "../ui/locale/LanguageSelect";
import { Page } from "../ui/Page";
import { PageLink } from "../ui/PageLink";
import { PasswordField } from "../ui/PasswordField";
import { RouteTabs } from "../ui/RouteTabs";
import { Section } from "../ui/Section";
import { StatusChip } from "../ui/StatusChip";
import { RowMenu } from "../ui/table/RowMenu";
import { notify } from "../ui/toasts/toasts";
import { ResendButton } from "../ui/UnverifiedBanner";
import styles from "./profile.module.css";
import { SecondFactorTab } from "./SecondFactorTab";
import { SessionsTab } from "./SessionsTab";
import { OwnSignIn, ProfileLoader, useProfile } from "./useProfile";

/** The user's account: profile, password, second factor and sessions. */
export default function ProfilePage() {
  return (
    <Page title={t`Profile and security`} help="sign-in-and-security">
      <RouteTabs
        base="/profile"
        label={t`Profile and security`}
        tabs={[
          { path: "", label: t`Profile`, element: <ProfileTab /> },
          { path: "password", label: t`Password`, element: <PasswordTab /> },
          { path: "second-factor", label: t`Second factor`, element: <SecondFactorTab /> },
          { path: "sessions", label: t`Sessions`, element: <SessionsTab /> },
        ].map((tab) => ({
          ...tab,
          element: <div className={styles.sections}>{tab.element}</div>,
        }))}
      />
    </Page>
  );
}

const ProfileTab = () => (
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
      <Column gap="l" align="start">
        <FormField {...form.field("fullName")} autoComplete="name" />
        <FormProblem />
        {!profile.accountClosed && <SubmitButton>{t`Save`}</SubmitButton>}
      </Column>
    </Form>
  );
}

/** The user's institutions, with a button to leave each. */
function MyInstitutions({ profile }: { profile: Profile }) {
  const [leaving, setLeaving] = useState<Membership>();
  return (
    <Section title={t`Your institutions`} help="team-and-roles">
      {profile.memberships.length === 0 && (
        <Typography color="textSecondary">
          {t`You do not belong to an institution yet. You can join one when a member invites you.`}
        </Typography>
      )}
      <Column as="ul" gap="s">
        {profile.memberships.map((held) => (
          <Row key={held.institutionId} as="li" gap="s" className={styles.institution}>
            <PageLink to={`/institutions/${held.institutionId}`} className={styles.name}>
              {held.institutionName}
            </PageLink>
            <StatusChip status={held.role} />
            <div className={styles.end}>
              <RowMenu
                name={held.institutionName}
                acts={[{ label: t`Leave`, isGrave: true, act: () => setLeaving(held) }]}
              />
            </div>
          </Row>
        ))}
      </Column>
      {leaving && (
        <LeaveDialog profile={profile} held={leaving} onClose={() => setLeaving(undefined)} />
      )}
    </Section>
  );
}

interface LeaveDialogProps {
  profile: Profile;
  held: Membership;
  onClose: () => void;
}

function LeaveDialog({ profile, held, onClose }: LeaveDialogProps) {
  const { hasChanged } = useProfile();
  return (
    <ConfirmDialog
      title={t`Leave ${{ institution: held.institutionName }}?`}
      consequence={t`You lose access to it, and the API keys you created there are revoked permanently. To return, you need a new invitation.`}
      action={t`Leave institution`}
      danger
      onClose={onClose}
      onConfirm={async () => {
        const path = { institutionId: held.institutionId, userId: profile.id };
        await api.DELETE("/api/institutions/{institutionId}/members/{userId}", at(path));
        await hasChanged();
        notify(t`You have left ${{ institution: held.institutionName }}.`, { type: "info" });
      }}
    />
  );
}

const NONE = { currentPassword: "", newPassword: "" };

const PasswordTab = () => <OwnSignIn>{() => <PasswordForm />}</OwnSignIn>;

function PasswordForm() {
  const form = useApiForm({
    values: NONE,
    checks: PasswordChange,
    send: async (body) => {
      await api.POST("/api/auth/password", { body });
      notify(t`Password changed. Your other sessions have been signed out.`, { type: "info" });
    },
  });
  return (
    <Section
      title={t`Change password`}
      subtitle={t`This signs you out on all other devices. You stay signed in here and get an email about the change.`}
    >
      <Form form={form} onDone={() => form.reset(NONE)}>
        <Column gap="l" align="start">
          <PasswordField {...form.field("currentPassword")} label={t`Current password`} />
          <PasswordField {...form.field("newPassword")} label={t`New password`} chosen />
          <FormProblem />
          <SubmitButton>{t`Change password`}</SubmitButton>
        </Column>
      </Form>
    </Section>
  );
}
