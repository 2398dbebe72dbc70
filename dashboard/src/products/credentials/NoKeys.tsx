import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import { KeyIcon } from "../../ui/icons";
import { EmptyState } from "../../ui/EmptyState";
import { Section } from "../../ui/Section";

/** Empty state for a product without RSA keys. */
export const NoKeys = ({ onGenerate }: { onGenerate: (() => void) | undefined }) => (
  <Section title={t`RSA keys`} help="rsa-keys">
    <EmptyState
      icon={<KeyIcon />}
      title={t`No RSA keys yet`}
      action={
        onGenerate && (
          <Button variant="contained" onClick={onGenerate}>
            {t`Generate keys`}
          </Button>
        )
      }
    >
      {t`Licenses are signed with these keys, so you need them to issue licenses.`}{" "}
      {!onGenerate && t`Ask an Owner or Admin to generate them.`}
    </EmptyState>
  </Section>
);
