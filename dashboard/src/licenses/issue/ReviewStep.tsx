import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Divider from "@mui/material/Divider";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { dateTime, number } from "../../ui/formats";
import { DescriptionList } from "../../ui/DescriptionList";
import { MODEL_LABELS } from "../../ui/labels";
import { MODEL_TRAITS } from "../../ui/models";
import { endOfDay } from "../../ui/days";
import { useEntitlementSets } from "./EntitlementField";
import { isMailed, STEP_LABELS, type Draft, type Step } from "./issueDraft";
import { summaryOf } from "./issueText";
import { usePolicies } from "./PolicyField";
import { useReleases } from "./ReleaseField";
import type { IssueForm } from "./useIssueForm";

type Fact = readonly [name: string, value: ReactNode];

const given = (name: string, value: ReactNode): Fact[] => (value ? [[name, value]] : []);

function customerFacts(draft: Draft): Fact[] {
  const pairs = draft.metadata.filter(({ name }) => name.trim());
  return [
    ["License name", draft.licenseName || "Named by the policy"],
    ["Issued to", draft.issuedTo || "Not assigned"],
    ...given("Email", isMailed(draft) && "Sent when the license is issued"),
    ...given("Issuer", draft.issuer),
    ...given("Notes", draft.notes && `${number(draft.notes.length)} characters`),
    ...given("Metadata", pairs.map(({ name, value }) => `${name} = ${value}`).join(", ")),
  ];
}

function termFacts(draft: Draft, setName: string | undefined): Fact[] {
  const model = draft.type && MODEL_TRAITS[draft.type];
  const end = endOfDay(draft.expirationDate);
  return [
    ["Expires", end ? dateTime(end) : draft.policyTerm || "Never"],
    ...(model?.seats ? given("Max active users", number(Number(draft.maxActiveUsersCount))) : []),
    ...(model?.meter
      ? given("Balance", `${number(Number(draft.initialMeterBalance))} ${model.meter}`)
      : []),
    ...(model?.binding
      ? given(
          "Device binding mode",
          draft.deviceBindingMode === "AutoBind" ? "Auto-bind" : "Product owner approval",
        )
      : []),
    ["Activation mode", model?.offline ? draft.activationMode : "Online"],
    ...(model?.credentials ? given("Username", draft.username) : []),
    ["Features", setName ?? "Not restricted"],
    ...given("License key", draft.licenseKey),
  ];
}

interface PartProps {
  step: Step;
  facts: Fact[];
  onEdit: (step: Step) => void;
}

const Part = ({ step, facts, onEdit }: PartProps) => (
  <div>
    <Stack direction="row" sx={{ alignItems: "center", gap: 1, mb: 1 }}>
      <Typography variant="h6" component="h3">
        {STEP_LABELS[step]}
      </Typography>
      <Button
        size="small"
        aria-label={`Edit ${STEP_LABELS[step].toLowerCase()}`}
        onClick={() => {
          onEdit(step);
        }}
      >
        Edit
      </Button>
    </Stack>
    <DescriptionList facts={facts} />
  </div>
);

/** A summary of the license before it is issued. */
export function ReviewStep({ form, onEdit }: { form: IssueForm; onEdit: (step: Step) => void }) {
  const { draft, product } = form;
  const { releases, newest } = useReleases(draft.productId);
  const set = useEntitlementSets(draft.productId).find(({ id }) => id === draft.entitlementSetId);
  const policy = usePolicies(draft.productId).find(({ id }) => id === draft.policyId);
  const release = releases.find(({ id }) => id === draft.softwareReleaseId) ?? newest;
  if (!draft.type || !product) return null;
  const model = MODEL_TRAITS[draft.type];
  const summary = summaryOf({
    type: draft.type,
    product: product.name,
    issuedTo: draft.issuedTo.trim() || null,
    end: endOfDay(draft.expirationDate),
    term: draft.policyTerm,
    seats: Number(draft.maxActiveUsersCount),
    balance: Number(draft.initialMeterBalance),
    approval: draft.deviceBindingMode === "OwnerApproval",
    offline: model.offline && draft.activationMode === "Offline",
    credentials: Boolean(draft.username),
  });
  return (
    <Stack sx={{ gap: 2.5 }} divider={<Divider />}>
      <Alert severity="info" sx={{ overflowWrap: "anywhere" }}>
        {summary}
        {set && ` It includes the features of ${set.name}.`}
      </Alert>
      <Part
        step="product"
        onEdit={onEdit}
        facts={[
          ["Product", product.name],
          ...given("Policy", policy?.name),
          ["Release", release ? `${release.version} ${release.channel}` : "Newest published"],
          ["Model", MODEL_LABELS[draft.type]],
        ]}
      />
      <Part step="customer" onEdit={onEdit} facts={customerFacts(draft)} />
      <Part step="terms" onEdit={onEdit} facts={termFacts(draft, set?.name)} />
    </Stack>
  );
}
