import type { SeatKind, MeterKind } from "../../ui/models";
import { DraftField } from "./DraftField";
import { FeaturePrices } from "./FeaturePrices";
import type { IssueForm } from "./useIssueForm";

const SEATS: Record<SeatKind, { label: string; hint: string }> = {
  sessions: {
    label: "Max active users",
    hint: "How many sessions can run at the same time. A seat is freed when the application disconnects or its heartbeats stop.",
  },
  devices: {
    label: "Max active users",
    hint: "How many devices can hold a seat. A device keeps its seat until it is deactivated.",
  },
};

/** The seat cap. */
export const SeatsField = ({ form, kind }: { form: IssueForm; kind: SeatKind }) => (
  <DraftField
    form={form}
    name="maxActiveUsersCount"
    type="number"
    label={SEATS[kind].label}
    required
    helperText={SEATS[kind].hint}
    slotProps={{ htmlInput: { min: 1, max: 1_000_000, step: 1 } }}
    sx={{ maxWidth: 420 }}
  />
);

/** The initial balance. */
export const BalanceField = ({ form, kind }: { form: IssueForm; kind: MeterKind }) => (
  <>
    <DraftField
      form={form}
      name="initialMeterBalance"
      type="number"
      label={kind === "credits" ? "Initial credits" : "Initial uses"}
      required
      helperText={
        kind === "credits"
          ? "Each use of a feature costs its price in credits. You can grant more at any time."
          : "Each use counts as one, whatever the feature. You can grant more at any time."
      }
      slotProps={{ htmlInput: { min: 0, step: kind === "credits" ? "any" : 1 } }}
      sx={{ maxWidth: 420 }}
    />
    {kind === "credits" && <FeaturePrices form={form} />}
  </>
);
