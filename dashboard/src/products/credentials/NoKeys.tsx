import Button from "@mui/material/Button";
import { KeyIcon } from "../../ui/icons";
import { EmptyState } from "../../ui/EmptyState";
import { Section } from "../../ui/Section";

/** Empty state for a product without RSA keys. */
export const NoKeys = ({ onGenerate }: { onGenerate: (() => void) | undefined }) => (
  <Section title="RSA keys" help="rsa-keys">
    <EmptyState
      icon={<KeyIcon />}
      title="No RSA keys yet"
      action={
        onGenerate && (
          <Button variant="contained" onClick={onGenerate}>
            Generate keys
          </Button>
        )
      }
    >
      Licenses are signed with these keys, so you need them to issue licenses.
      {!onGenerate && " Ask an Owner or Admin to generate them."}
    </EmptyState>
  </Section>
);
