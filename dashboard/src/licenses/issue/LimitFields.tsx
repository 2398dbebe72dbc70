import type { MeterKind, SeatKind } from "../models";
import { DraftField } from "./DraftField";
import { FeaturePrices } from "./FeaturePrices";
import type { IssueForm } from "./useIssueForm";

const SEATS: Record<SeatKind, { label: string; hint: string }> = {
  sessions: {
    label: "Live sessions at the same time",
    hint: "How many may run at once. A seat is free again when the application ends, or when its heartbeats stop.",
  },
  devices: {
    label: "Devices",
    hint: "How many devices can hold a seat. A device keeps its seat until it is given back.",
  },
};

/** The cap of the seats. */
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

/** What the meter starts with. */
export const BalanceField = ({ form, kind }: { form: IssueForm; kind: MeterKind }) => (
  <>
    <DraftField
      form={form}
      name="initialMeterBalance"
      type="number"
      label={kind === "credits" ? "Credits at the start" : "Uses at the start"}
      required
      helperText={
        kind === "credits"
          ? "Each use of a feature takes its price from them. You can grant more at any time."
          : "Each use takes one, whatever the feature. You can grant more at any time."
      }
      slotProps={{ htmlInput: { min: 0, step: kind === "credits" ? "any" : 1 } }}
      sx={{ maxWidth: 420 }}
    />
    {kind === "credits" && <FeaturePrices form={form} />}
  </>
);
