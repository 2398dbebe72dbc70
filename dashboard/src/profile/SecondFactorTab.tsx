import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { useNotify } from "ra-core";
import { useState } from "react";
import { api } from "../api/client";
import type { Profile, Schemas } from "../api/types";
import { Facts } from "../ui/Facts";
import { number } from "../ui/formats";
import { ProblemAlert } from "../ui/ProblemAlert";
import { SecretDialog } from "../ui/SecretDialog";
import { Section } from "../ui/Section";
import { StatusChip } from "../ui/StatusChip";
import { useSubmit } from "../ui/useSubmit";
import { EnrollDialog } from "./EnrollDialog";
import { Loaded } from "./Loaded";
import { ProofDialog } from "./ProofDialog";
import { useProfile } from "./useProfile";

const FEW_CODES = 3;

/** A code of an app beside the password, and recovery codes for when the phone is lost. */
export function SecondFactorTab() {
  const [codes, setCodes] = useState<string[]>();
  const { hasChanged } = useProfile();
  const show = async (made: string[]) => {
    setCodes(made);
    await hasChanged();
  };
  return (
    <Loaded>
      {(profile) => (
        <Section
          title="Second factor"
          subtitle="Signing in takes a code of an authenticator app as well, so that a stolen password opens nothing."
          help="sign-in-and-security"
        >
          {profile.totpEnabled ? (
            <InForce profile={profile} onCodes={show} />
          ) : (
            <Off profile={profile} onCodes={show} />
          )}
          {codes && (
            <SecretDialog
              title="Keep your recovery codes"
              label="Recovery codes, each works once"
              secret={codes.join("\n")}
              fileName="licet-recovery-codes.txt"
              onClose={() => {
                setCodes(undefined);
              }}
            />
          )}
        </Section>
      )}
    </Loaded>
  );
}

interface StateProps {
  profile: Profile;
  onCodes: (codes: string[]) => Promise<void>;
}

function Off({ profile, onCodes }: StateProps) {
  const [offered, setOffered] = useState<Schemas["OfferedFactorView"]>();
  const submit = useSubmit(async () => {
    setOffered((await api.POST("/api/auth/totp")).data);
  });
  if (!profile.emailVerified)
    return <Alert severity="info">Verify your e-mail address first, then turn it on here.</Alert>;
  return (
    <>
      <Stack component="form" {...submit.form} sx={{ gap: 2, alignItems: "flex-start" }}>
        <StatusChip status="Off" />
        {submit.problem && <ProblemAlert error={submit.problem} />}
        <Button type="submit" variant="contained" loading={submit.busy}>
          Turn on
        </Button>
      </Stack>
      {offered && (
        <EnrollDialog
          offered={offered}
          onClose={() => {
            setOffered(undefined);
          }}
          onCodes={onCodes}
        />
      )}
    </>
  );
}

function InForce({ profile, onCodes }: StateProps) {
  const [asked, setAsked] = useState<"codes" | "off">();
  const { hasChanged } = useProfile();
  const notify = useNotify();
  const left = profile.recoveryCodesLeft ?? 0;
  const close = () => {
    setAsked(undefined);
  };
  return (
    <Stack sx={{ gap: 2, alignItems: "flex-start" }}>
      <Box sx={{ alignSelf: "stretch" }}>
        <Facts
          facts={[
            ["State", <StatusChip key="state" status="On" />],
            ["Recovery codes left", number(left)],
          ]}
        />
      </Box>
      {left <= FEW_CODES && (
        <Alert severity="warning">
          Few recovery codes are left. Make new ones before the last is used: without phone and
          codes, only a system Admin lets you in again.
        </Alert>
      )}
      <Stack direction="row" sx={{ gap: 1, flexWrap: "wrap" }}>
        <Button
          variant="outlined"
          onClick={() => {
            setAsked("codes");
          }}
        >
          Make new recovery codes
        </Button>
        <Button
          color="error"
          onClick={() => {
            setAsked("off");
          }}
        >
          Turn off
        </Button>
      </Stack>
      {asked === "codes" && (
        <ProofDialog
          title="Make new recovery codes?"
          consequence="There are ten new ones, and those that you have kept end at once."
          action="Make new codes"
          onClose={close}
          onProof={async (body) => {
            const { data } = await api.POST("/api/auth/totp/recovery-codes", { body });
            if (data) await onCodes(data.recoveryCodes);
          }}
        />
      )}
      {asked === "off" && (
        <ProofDialog
          title="Turn off the second factor?"
          consequence="Your password alone is enough to sign in from then on. Your recovery codes end."
          action="Turn off"
          danger
          onClose={close}
          onProof={async (body) => {
            await api.DELETE("/api/auth/totp", { body });
            await hasChanged();
            notify("The second factor is off.", { type: "info" });
          }}
        />
      )}
    </Stack>
  );
}
