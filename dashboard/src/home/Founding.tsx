import ApartmentIcon from "@mui/icons-material/ApartmentOutlined";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Stack from "@mui/material/Stack";
import { useQueryClient } from "@tanstack/react-query";
import { useNotify } from "ra-core";
import { useState } from "react";
import { Link } from "react-router";
import { api } from "../api/client";
import { EmptyState } from "../ui/EmptyState";
import { Form, FormField, FormProblem, SubmitButton, useFormAttempt } from "../ui/Form";
import { Page } from "../ui/Page";
import { useChosenInstitution } from "../ui/useInstitution";

/** For somebody who belongs to no institution and may make one. */
export function Founding() {
  const [name, setName] = useState("");
  const [, choose] = useChosenInstitution();
  const queries = useQueryClient();
  const notify = useNotify();
  const form = useFormAttempt(async () => {
    const { data } = await api.POST("/api/institutions", { body: { name: name.trim() } });
    if (data) choose(data.id);
    await queries.invalidateQueries({ queryKey: ["get", "/api/auth/me"] });
    notify("The institution is made, and you are its Owner.", { type: "success" });
  });
  return (
    <Page title="Home" help="getting-started">
      <Card>
        <EmptyState
          icon={<ApartmentIcon color="action" sx={{ fontSize: 40 }} />}
          title="You work in no institution"
        >
          An institution is the company whose products are licensed here. Make one, or open the
          portal for licenses that were issued to you.
          <Form {...form}>
            <Stack sx={{ gap: 2, mt: 3, textAlign: "left" }}>
              <FormField
                name="name"
                label="Name of the institution"
                value={name}
                onValue={setName}
                required
                slotProps={{ htmlInput: { maxLength: 200 } }}
              />
              <FormProblem />
              <Stack direction="row" sx={{ gap: 1, flexWrap: "wrap" }}>
                <SubmitButton disabled={!name.trim()}>Create institution</SubmitButton>
                <Button component={Link} to="/portal">
                  Open the portal
                </Button>
              </Stack>
            </Stack>
          </Form>
        </EmptyState>
      </Card>
    </Page>
  );
}
