import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Button from "@mui/material/Button";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api } from "../../api/client";
import type { Institution } from "../../api/types";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { Section } from "../../ui/Section";
import { notify } from "../../ui/toasts/toasts";

/** Deletes the institution. */
export function DangerZone({ institution }: { institution: Institution }) {
  const [asks, setAsks] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { name } = institution;
  const remove = async () => {
    await api.DELETE("/api/institutions/{institutionId}", {
      params: { path: { institutionId: institution.id } },
    });
    await navigate("/institutions");
    notify(t`${name} deleted.`, { type: "success" });
    // Do not refetch the institution's own queries: they would be rejected now.
    await queries.invalidateQueries({ queryKey: ["get", "/api/auth/me"] });
  };
  return (
    <Section
      title={t`Delete institution`}
      subtitle={t`This is permanent. Delete its products first.`}
      actions={
        <Button color="error" variant="outlined" onClick={() => setAsks(true)}>
          {t`Delete institution`}
        </Button>
      }
    >
      {asks && (
        <ConfirmDialog
          title={t`Delete institution`}
          action={t`Delete institution`}
          danger
          typed={name}
          consequence={
            <>
              <p>
                <Trans>
                  This permanently deletes the memberships, invitations, API keys, webhooks,
                  settings and audit log of <bdi>{name}</bdi>. It cannot be undone.
                </Trans>
              </p>
              <p>
                {t`Members keep their accounts and other institutions. Existing backups still contain the deleted data.`}
              </p>
            </>
          }
          onConfirm={remove}
          onClose={() => setAsks(false)}
        />
      )}
    </Section>
  );
}
