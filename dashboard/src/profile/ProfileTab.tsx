import { t } from "@lingui/core/macro";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { api } from "../api/client";
import type { Profile } from "../api/types";
import { LanguageSelect } from "../ui/locale/LanguageSelect";
import { Section } from "../ui/Section";
import { StatusChip } from "../ui/StatusChip";
import { ResendButton } from "../ui/UnverifiedBanner";
import { useSubmit } from "../ui/useSubmit";
import { ProfileLoader } from "./ProfileLoader";
import { MyInstitutions } from "./MyInstitutions";
import { ProfileForm } from "./ProfileForm";
import { useProfile } from "./useProfile";
import { notify } from "../ui/toasts/toasts";

export const ProfileTab = () => (
  <ProfileLoader>
    {(profile) => (
      <Stack sx={{ gap: 2.5 }}>
        <Section
          title={t`About you`}
          subtitle={t`Other members see your name and email address next to your actions.`}
        >
          <Stack sx={{ gap: 2.5 }}>
            <Address profile={profile} />
            <NameForm profile={profile} />
          </Stack>
        </Section>
        <Section
          title={t`Display`}
          subtitle={t`The language that you choose holds for this browser.`}
        >
          <LanguageSelect />
        </Section>
        <MyInstitutions profile={profile} />
      </Stack>
    )}
  </ProfileLoader>
);

const Address = ({ profile }: { profile: Profile }) => (
  <div>
    <Typography variant="caption" color="textSecondary" component="p">
      {t`Email address`}
    </Typography>
    <Stack direction="row" sx={{ gap: 1, alignItems: "center", flexWrap: "wrap" }}>
      <Typography component="span" sx={{ overflowWrap: "anywhere" }}>
        {profile.email}
      </Typography>
      <StatusChip status={profile.emailVerified ? "Verified" : "Not verified"} />
      {!profile.emailVerified && <ResendButton />}
    </Stack>
  </div>
);

function NameForm({ profile }: { profile: Profile }) {
  const { hasChanged } = useProfile();
  const submit = useSubmit(async ({ fullName = "" }) => {
    await api.PUT("/api/auth/me", { body: { fullName } });
    await hasChanged();
    notify(t`Name changed.`, { type: "info" });
  });
  return (
    <ProfileForm submit={submit} action={t`Save`}>
      <TextField
        {...submit.field("fullName")}
        label={t`Full name`}
        defaultValue={profile.fullName}
        autoComplete="name"
        required
        fullWidth
        slotProps={{ htmlInput: { maxLength: 200 } }}
      />
    </ProfileForm>
  );
}
