import Button from "@mui/material/Button";
import { useQueryClient } from "@tanstack/react-query";
import { useNotify } from "ra-core";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api } from "../../api/client";
import type { Institution } from "../../api/types";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { Section } from "../../ui/Section";

/** The end of the institution. */
export function DangerZone({ institution }: { institution: Institution }) {
  const [asks, setAsks] = useState(false);
  const queries = useQueryClient();
  const notify = useNotify();
  const navigate = useNavigate();
  const remove = async () => {
    await api.DELETE("/api/institutions/{institutionId}", {
      params: { path: { institutionId: institution.id } },
    });
    await navigate("/institutions");
    notify(`${institution.name} is deleted.`, { type: "success" });
    // Not what the page has asked of the institution, which would be refused by now.
    await queries.invalidateQueries({ queryKey: ["get", "/api/auth/me"] });
  };
  return (
    <Section
      title="Delete the institution"
      subtitle="For good, and only once it has no products. Delete those first."
      actions={
        <Button
          color="error"
          variant="outlined"
          onClick={() => {
            setAsks(true);
          }}
        >
          Delete institution
        </Button>
      }
    >
      {asks && (
        <ConfirmDialog
          title="Delete institution"
          action="Delete for good"
          danger
          typed={institution.name}
          consequence={
            <>
              <p>
                Memberships, invitations, API keys, webhooks, settings and the audit log of{" "}
                <bdi>{institution.name}</bdi> go at once, and cannot be brought back.
              </p>
              <p>
                The accounts of its members stay, with their other institutions. Backups that were
                made before still hold it.
              </p>
            </>
          }
          onConfirm={remove}
          onClose={() => {
            setAsks(false);
          }}
        />
      )}
    </Section>
  );
}
