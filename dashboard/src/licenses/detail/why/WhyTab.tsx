import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import { keepPreviousData } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { $api } from "../../../api/client";
import type { License, Schemas } from "../../../api/types";
import { ProblemAlert } from "../../../ui/ProblemAlert";
import { Section } from "../../../ui/Section";
import { HardwareIdField } from "../HardwareIdField";
import { Verdict } from "./Verdict";

type Asked = Schemas["ExplainLicenseRequest"];

/** Explains, rule by rule, why the license is valid or not. */
export function WhyTab({ license }: { license: License }) {
  const [hardwareId, setHardwareId] = useState("");
  const [appVersion, setAppVersion] = useState("");
  const [asked, setAsked] = useState<Asked>({});
  const { data, error, isFetching, refetch } = $api.useQuery(
    "post",
    "/api/licenses/{licenseId}/explain",
    { params: { path: { licenseId: license.id } }, body: asked },
    { placeholderData: keepPreviousData, staleTime: 0 },
  );
  const ask = (event: FormEvent) => {
    event.preventDefault();
    const next: Asked = {
      ...(hardwareId.trim() && { hardwareId: hardwareId.trim() }),
      ...(appVersion.trim() && { appVersion: appVersion.trim() }),
    };
    if (JSON.stringify(next) === JSON.stringify(asked)) void refetch();
    else setAsked(next);
  };
  return (
    <Stack sx={{ gap: 2.5 }}>
      <Section
        title={t`Test validation`}
        help="why"
        subtitle={t`See the result an application on a given machine would get now. This changes nothing: no machine is bound, and no access attempt is recorded.`}
      >
        <Stack
          component="form"
          direction={{ xs: "column", md: "row" }}
          onSubmit={ask}
          sx={{ gap: 1.5, alignItems: { md: "flex-start" } }}
        >
          <HardwareIdField
            license={license}
            value={hardwareId}
            onChange={setHardwareId}
            helperText={t`Optional. The machine to test.`}
          />
          <TextField
            label={t`Application version`}
            value={appVersion}
            fullWidth
            helperText={t`Optional. For example 2.1.0.`}
            slotProps={{ htmlInput: { maxLength: 256 } }}
            onChange={(event) => {
              setAppVersion(event.target.value);
            }}
          />
          <Button
            type="submit"
            variant="contained"
            loading={isFetching}
            sx={{ flexShrink: 0, mt: { md: 1 }, minHeight: 38 }}
          >
            {t({ message: "Test", context: "verb" })}
          </Button>
        </Stack>
      </Section>
      {error ? (
        <ProblemAlert error={error} />
      ) : data ? (
        <Verdict explanation={data} />
      ) : (
        <Skeleton variant="rounded" height={420} />
      )}
    </Stack>
  );
}
