import { t } from "@lingui/core/macro";
import type { FieldValues, Path } from "react-hook-form";
import type { Schemas } from "../api/types";
import { FormField } from "./form/FormField";
import type { FieldProps } from "./form/useApiForm";

type TermProps<Values extends FieldValues, Name extends Path<Values>> = FieldProps<Values, Name> & {
  /** The label of a policy that leaves the term open; licenses do not. */
  open?: string;
};

interface Texts {
  words: Record<string, string>;
  label: string;
  helperText: string;
}

const ChosenTerm = <Values extends FieldValues, Name extends Path<Values>>({
  open,
  words,
  ...field
}: TermProps<Values, Name> & Texts) => (
  <FormField
    {...field}
    slotProps={{ select: { displayEmpty: true } }}
    options={[...(open === undefined ? [] : [["", open] as const]), ...Object.entries(words)]}
  />
);

/** Which devices must prove their keys. */
export const PROOF_WORDS: Record<Schemas["DeviceProof"], string> = {
  Off: t`Off: another key is only recorded`,
  WhenPresent: t`When present: devices that have proven a key`,
  Required: t`Required: all devices, so none with an older SDK`,
};

/** Which devices must prove their keys. */
export const DeviceProofField = <Values extends FieldValues, Name extends Path<Values>>(
  props: TermProps<Values, Name>,
) => (
  <ChosenTerm
    {...props}
    words={PROOF_WORDS}
    label={t`Proof of device keys`}
    helperText={t`Devices sign their requests, so a copied hardware ID or session is useless elsewhere.`}
  />
);

/** What becomes of a device with the hardware ID of another one, and another key. */
export const CLONE_WORDS: Record<Schemas["OnClone"], string> = {
  Refuse: t`Is refused`,
  OwnSeat: t`Takes a seat of its own`,
};

/** What becomes of a clone. */
export const OnCloneField = <Values extends FieldValues, Name extends Path<Values>>(
  props: TermProps<Values, Name>,
) => (
  <ChosenTerm
    {...props}
    words={CLONE_WORDS}
    label={t`A second device with the same hardware ID`}
    helperText={t`It is known by its key, so devices must prove theirs.`}
  />
);

/** Who answers the requests of machines without a network. */
export const OFFLINE_ACTIVATION_WORDS: Record<Schemas["OfflineActivation"], string> = {
  Off: t`Off: only your team answers requests`,
  SelfService: t`Self-service: customers get answers at the Offline desk`,
  Approval: t`Approval: customers submit requests, and you approve them`,
};

/** Who answers offline requests. */
export const OfflineActivationField = <Values extends FieldValues, Name extends Path<Values>>(
  props: TermProps<Values, Name>,
) => (
  <ChosenTerm
    {...props}
    words={OFFLINE_ACTIVATION_WORDS}
    label={t`Offline activation`}
    helperText={t`For machines without a network, which make requests as a file or a QR code.`}
  />
);
