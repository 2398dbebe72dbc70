import { plural, t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import Autocomplete from "@mui/material/Autocomplete";
import Chip from "@mui/material/Chip";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useFieldArray } from "react-hook-form";
import { changed } from "../../api/fields";
import { EntitlementSetRequest } from "../../api/checks";
import { api, at } from "../../api/client";
import type { Schemas } from "../../api/types";
import { AddButton } from "../../ui/AddButton";
import { EmptyState } from "../../ui/EmptyState";
import { entryText, useFeatures, valueOf } from "../../ui/featureValues";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { type ApiForm, useApiForm } from "../../ui/form/useApiForm";
import { Column, Row } from "../../ui/layout/layout";
import { DataList } from "../../ui/list/DataList";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { TabHeading } from "../../ui/Section";
import { TwoLines, actionsColumn } from "../../ui/table/cells";
import { RowMenu } from "../../ui/table/RowMenu";
import { Table } from "../../ui/table/Table";
import { useActions } from "../../ui/useActions";
import type { TabProps } from "../parts/TabProps";
import styles from "./entitlementSets.module.css";

type EntitlementSet = Schemas["EntitlementSet"];

type Feature = Pick<Schemas["Feature"], "name" | "kind">;

/** What the dialog holds; the value of a feature is as typed, and empty for a flag. */
interface SetDraft {
  name: string;
  entries: { featureName: string; value: string }[];
}

const draftOf = (set: EntitlementSet | undefined): SetDraft => ({
  name: set?.name ?? "",
  entries: (set?.entries ?? []).map(({ featureName, value }) => ({
    featureName,
    value: String(value ?? ""),
  })),
});

/** The request body, with the features that the product still has. */
const bodyOf = ({ name, entries }: SetDraft, features: readonly Feature[]) => ({
  name: name.trim(),
  entries: entries.flatMap(({ featureName, value }) => {
    const feature = features.find((item) => item.name === featureName);
    if (!feature) return [];
    return [{ featureName, ...(feature.kind !== "Flag" && { value: valueOf(feature, value) }) }];
  }),
});

/** Entitlement sets: named lists of features that licenses can be restricted to. */
export const EntitlementSetsTab = ({ product: { id: productId }, manage }: TabProps) => (
  <Column gap="s">
    <TabHeading
      title={t`Entitlement sets`}
      help="features-and-entitlements"
      action={
        manage && (
          <AddButton dialog={(onClose) => <EntitlementSetDialog {...{ productId, onClose }} />}>
            {t`Add entitlement set`}
          </AddButton>
        )
      }
    >
      {t`An entitlement set defines an edition of the product: a license with a set includes only its features.`}
    </TabHeading>
    <EntitlementSetList productId={productId} manage={manage} />
  </Column>
);

const SHOWN = 12;

const Features = ({ entries }: Pick<EntitlementSet, "entries">) => (
  <Row gap="xs" align="stretch" wraps>
    {entries.length === 0 && <Typography color="textSecondary">{t`None`}</Typography>}
    {entries.slice(0, SHOWN).map(({ featureName, value }) => (
      <Chip
        key={featureName}
        size="small"
        variant="outlined"
        label={entryText(featureName, value)}
        className={styles.feature}
      />
    ))}
    {entries.length > SHOWN && (
      <Typography color="textSecondary">
        {plural(entries.length - SHOWN, { other: "and # more" })}
      </Typography>
    )}
  </Row>
);

interface EntitlementSetListProps {
  productId: string;
  manage: boolean;
}

function EntitlementSetList({ productId, manage }: EntitlementSetListProps) {
  const actions = useActions<EntitlementSet>((set) => [
    {
      label: t`Edit`,
      dialog: (onClose) => <EntitlementSetDialog {...{ productId, set, onClose }} />,
    },
    {
      label: t`Delete`,
      isGrave: true,
      confirm: {
        title: t`Delete entitlement set ${set.name}`,
        action: t`Delete entitlement set`,
        danger: true,
        consequence: t`This permanently deletes the set but not its features. A set that licenses use cannot be deleted, because those licenses would then include every feature. Assign them another set first.`,
        onConfirm: () => api.DELETE("/api/entitlement-sets/{setId}", at({ setId: set.id })),
        done: t`Entitlement set ${set.name} deleted.`,
      },
    },
  ]);
  return (
    <>
      <DataList
        path={`products/${productId}/entitlement-sets`}
        sort="name"
        empty={
          <EmptyState title={t`No entitlement sets yet`}>
            {t`Without an entitlement set, every license includes every feature. Add a set for each edition you sell.`}
          </EmptyState>
        }
      >
        <Table<EntitlementSet>
          label={t`Entitlement sets`}
          columns={[
            {
              key: "name",
              label: t`Name`,
              sort: true,
              cell: (set) => <TwoLines>{set.name}</TwoLines>,
            },
            {
              key: "featureNames",
              label: t`Features`,
              cell: (set) => <Features entries={set.entries} />,
            },
            { key: "updatedAt", label: t`Last updated`, sort: true, as: "date" },
            manage && actionsColumn((set) => <RowMenu name={set.name} acts={actions.of(set)} />),
          ]}
        />
      </DataList>
      {actions.dialog}
    </>
  );
}

interface EntitlementSetDialogProps {
  productId: string;
  /** The set to edit; omit it to create one. */
  set?: EntitlementSet;
  onClose: () => void;
}

/** Creates or edits an entitlement set. */
function EntitlementSetDialog({ productId, set, onClose }: EntitlementSetDialogProps) {
  const { data: features, error } = useFeatures(productId);
  const form = useApiForm({
    values: draftOf(set),
    checks: EntitlementSetRequest,
    send: (draft) => {
      const body = bodyOf(draft, features ?? []);
      if (!set)
        return api.POST("/api/products/{productId}/entitlement-sets", {
          ...at({ productId }),
          body,
        });
      const path = at({ setId: set.id });
      return api.PUT("/api/entitlement-sets/{setId}", { ...path, body: changed(body, set) });
    },
    done: ({ name }) =>
      set ? t`Entitlement set ${{ name }} updated.` : t`Entitlement set ${{ name }} added.`,
  });
  return (
    <FormDialog
      form={form}
      title={set ? t`Edit entitlement set ${set.name}` : t`Add entitlement set`}
      action={set ? t`Save` : t`Add entitlement set`}
      // Without its features, the set would be saved as an empty one.
      isLoading={!features}
      disabled={error !== null}
      onClose={onClose}
    >
      <FormField
        {...form.field("name")}
        autoFocus
        input={{ dir: "auto" }}
        helperText={t`For example Standard or Professional.`}
      />
      {error && <ProblemAlert error={error} />}
      <EntriesField form={form} features={features} />
      {set && (
        <Alert severity="info">
          {t`The change applies to every license with this set at its next online validation. Existing license files keep their features until they are refreshed.`}
        </Alert>
      )}
    </FormDialog>
  );
}

interface EntriesFieldProps {
  form: ApiForm<SetDraft>;
  /** What the product has; undefined while it is not known. */
  features: readonly Schemas["Feature"][] | undefined;
}

/** The features of a set, with the values of those that have a number or a text. */
function EntriesField({ form, features }: EntriesFieldProps) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: "entries" });
  const names = fields.map(({ featureName }) => featureName);
  const choose = (chosen: string[]) => {
    remove(names.flatMap((name, at) => (chosen.includes(name) ? [] : [at])));
    const added = chosen.filter((name) => !names.includes(name));
    append(
      added.map((featureName) => ({ featureName, value: "" })),
      { shouldFocus: false },
    );
  };
  return (
    <>
      <Autocomplete
        multiple
        disableCloseOnSelect
        loading={features === undefined}
        options={(features ?? []).map(({ name }) => name)}
        value={names}
        onChange={(_, chosen) => choose(chosen)}
        noOptionsText={t`No more features`}
        renderInput={(props) => (
          <TextField
            {...props}
            label={t`Features`}
            helperText={t`The features that licenses with this set include.`}
          />
        )}
      />
      {fields.map(({ id, featureName }, at) => {
        const kind = features?.find(({ name }) => name === featureName)?.kind;
        if (kind === undefined || kind === "Flag") return null;
        return (
          <FormField
            key={id}
            {...form.field(`entries.${at}.value`)}
            label={t`Value of ${{ name: featureName }}`}
            required
            {...(kind === "Number"
              ? { type: "number", input: { step: "any" } }
              : { demand: { maxLength: 200 } })}
          />
        );
      })}
      {names.length === 0 && (
        <Alert severity="info">
          {t`A set without features includes none: licenses with this set can run the application but use no features.`}
        </Alert>
      )}
    </>
  );
}
