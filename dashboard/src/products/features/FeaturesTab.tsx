import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Skeleton from "@mui/material/Skeleton";
import MuiTable from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { useWatch } from "react-hook-form";
import { changed, chosen, fieldsOf, OPTIONAL_TEXT, TEXT } from "../../api/fields";
import { FeaturePriceRequest, FeatureRequest } from "../../api/checks";
import { $api, api, at } from "../../api/client";
import type { Schemas } from "../../api/types";
import { AddButton } from "../../ui/AddButton";
import { EmptyState } from "../../ui/EmptyState";
import { Form, FormProblem, SubmitButton } from "../../ui/form/Form";
import { FormDialog } from "../../ui/form/FormDialog";
import { FormField } from "../../ui/form/FormField";
import { useApiForm } from "../../ui/form/useApiForm";
import { dateTime, number } from "../../ui/formats";
import { HelpLink } from "../../ui/help";
import { Column, Row } from "../../ui/layout/layout";
import { DataList } from "../../ui/list/DataList";
import { listKey } from "../../ui/list/useList";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { amountText } from "../../ui/quantities";
import { TabHeading } from "../../ui/Section";
import { StatusChip } from "../../ui/StatusChip";
import { actionsColumn } from "../../ui/table/cells";
import { RowMenu } from "../../ui/table/RowMenu";
import { Table } from "../../ui/table/Table";
import { notify } from "../../ui/toasts/toasts";
import { useActions } from "../../ui/useActions";
import type { TabProps } from "../parts/TabProps";
import styles from "./features.module.css";

type Feature = Schemas["Feature"];

/** Display names of the kinds of features. */
const KIND_LABELS: Record<Feature["kind"], string> = {
  Flag: t`Flag`,
  Number: t({ message: "Number", context: "kind of feature" }),
  Text: t`Text`,
};

/** The features of a product and their prices. */
export const FeaturesTab = ({ product: { id: productId }, manage }: TabProps) => (
  <Column gap="s">
    <TabHeading
      title={t`Features and prices`}
      help="features-and-entitlements"
      action={
        manage && (
          <AddButton dialog={(onClose) => <FeatureDialog {...{ productId, onClose }} />}>
            {t`Add feature`}
          </AddButton>
        )
      }
    >
      {t`Your application checks for a feature by name. A license without an entitlement set includes every feature. The price is what one use costs a Credit-Based license.`}
    </TabHeading>
    <FeatureList productId={productId} manage={manage} />
  </Column>
);

/** What one use of the feature costs now. */
function Price({ feature }: { feature: Feature }) {
  const { data } = $api.useQuery("get", "/api/meter/features/{featureId}/pricing", {
    params: { path: { featureId: feature.id }, query: { pageSize: 1, sort: "-createdAt" } },
  });
  if (!data) return <Skeleton width="8ch" />;
  const price = data.items[0];
  return price ? amountText(price.tokenCost, "credits") : "—";
}

interface FeatureListProps {
  productId: string;
  manage: boolean;
}

function FeatureList({ productId, manage }: FeatureListProps) {
  const queryClient = useQueryClient();
  const actions = useActions<Feature>((feature) => [
    {
      label: t`Edit`,
      dialog: (onClose) => <FeatureDialog {...{ productId, feature, onClose }} />,
    },
    { label: t`Set price`, dialog: (onClose) => <PriceDialog {...{ feature, onClose }} /> },
    {
      label: t`Delete`,
      isGrave: true,
      confirm: {
        title: t`Delete feature ${feature.name}`,
        action: t`Delete feature`,
        danger: true,
        consequence: t`This permanently deletes the feature and its prices. Credit-Based licenses can no longer use it. A feature that is part of an entitlement set cannot be deleted; remove it from the set first.`,
        onConfirm: async () => {
          await api.DELETE("/api/features/{featureId}", at({ featureId: feature.id }));
          // Refetch only the list: its rows would request the price of the deleted feature.
          await queryClient.invalidateQueries({
            queryKey: listKey(`products/${productId}/features`),
          });
          notify(t`Feature ${feature.name} deleted.`, { type: "success" });
        },
      },
    },
  ]);
  return (
    <>
      <DataList
        path={`products/${productId}/features`}
        sort="name"
        pageSize={10}
        empty={
          <EmptyState title={t`No features yet`}>
            {t`Add a feature for each part of your application that not every license includes, or whose use is metered.`}
          </EmptyState>
        }
      >
        <Table<Feature>
          label={t`Features`}
          columns={[
            {
              key: "name",
              label: t`Name`,
              sort: true,
              cell: (feature) => <code className={styles.name}>{feature.name}</code>,
            },
            { key: "kind", label: t`Kind`, cell: ({ kind }) => KIND_LABELS[kind] },
            {
              key: "displayName",
              label: t`Display name`,
              cell: ({ displayName }) =>
                displayName !== null && <span dir="auto">{displayName}</span>,
            },
            {
              key: "description",
              label: t`Description`,
              cell: ({ description }) =>
                description !== null && (
                  <div dir="auto" className={styles.description}>
                    {description}
                  </div>
                ),
            },
            manage && {
              key: "Price",
              label: t`Price`,
              fits: true,
              cell: (feature) => <Price feature={feature} />,
            },
            manage &&
              actionsColumn((feature) => (
                <RowMenu name={feature.name} acts={actions.of(feature)} />
              )),
          ]}
        />
      </DataList>
      {actions.dialog}
    </>
  );
}

const KIND_HINTS: Record<Feature["kind"], string> = {
  Flag: t`A license includes the feature or does not.`,
  Number: t`The license sets a number, for example 25 projects.`,
  Text: t`The license sets a text, for example a region.`,
};

const FIELDS = fieldsOf({
  name: TEXT,
  displayName: OPTIONAL_TEXT,
  description: OPTIONAL_TEXT,
  kind: chosen<Feature["kind"]>("Flag"),
});

interface FeatureDialogProps {
  productId: string;
  /** The feature to edit; omit it to create one. */
  feature?: Feature;
  onClose: () => void;
}

/** Creates or edits a feature. */
function FeatureDialog({ productId, feature, onClose }: FeatureDialogProps) {
  const form = useApiForm({
    values: FIELDS.draftOf(feature),
    checks: FeatureRequest,
    send: (draft) => {
      const body = FIELDS.bodyOf(draft);
      if (!feature)
        return api.POST("/api/products/{productId}/features", { ...at({ productId }), body });
      const path = at({ featureId: feature.id });
      return api.PUT("/api/features/{featureId}", { ...path, body: changed(body, feature) });
    },
    done: (draft) =>
      feature
        ? t`Feature ${{ name: draft.name }} updated.`
        : t`Feature ${{ name: draft.name }} added.`,
  });
  const { control, field } = form;
  const [name, kind] = useWatch({ control, name: ["name", "kind"] });
  const isRenamed = feature !== undefined && name.trim() !== feature.name;
  return (
    <FormDialog
      form={form}
      title={feature ? t`Edit feature ${feature.name}` : t`Add feature`}
      action={feature ? t`Save` : t`Add feature`}
      onClose={onClose}
    >
      <FormField
        {...field("name")}
        autoFocus
        input={{ spellCheck: false }}
        helperText={t`The name your application checks for, for example export-pdf.`}
      />
      {isRenamed && (
        <Alert severity="warning">
          {t`Entitlement sets are updated automatically. Applications that check for ${{ oldName: feature.name }} no longer find it, and existing license files contain the old name.`}
        </Alert>
      )}
      <FormField
        {...field("kind")}
        helperText={KIND_HINTS[kind]}
        options={Object.entries(KIND_LABELS)}
      />
      <FormField
        {...field("displayName")}
        input={{ dir: "auto" }}
        helperText={t`The name people see.`}
      />
      <FormField
        {...field("description")}
        multiline
        minRows={2}
        maxRows={8}
        input={{ dir: "auto" }}
      />
    </FormDialog>
  );
}

const NONE = { tokenCost: "" };

/** Sets the price of a feature and shows its price history. */
function PriceDialog({ feature, onClose }: { feature: Feature; onClose: () => void }) {
  const id = useId();
  const form = useApiForm({
    values: NONE,
    checks: FeaturePriceRequest,
    send: ({ tokenCost }) =>
      api.PUT("/api/meter/features/{featureId}/pricing", {
        ...at({ featureId: feature.id }),
        body: { tokenCost: Number(tokenCost) },
      }),
    done: t`Price of ${feature.name} updated.`,
  });
  const { isDirty, isSubmitting } = form.formState;
  return (
    <Dialog open onClose={isSubmitting ? undefined : onClose} aria-labelledby={id}>
      <DialogTitle id={id}>{t`Price of ${feature.name}`}</DialogTitle>
      <DialogContent>
        <Column gap="l">
          <Typography color="textSecondary">
            <Trans>
              Credit-Based licenses pay this number of credits per use.{" "}
              <HelpLink topic="metering">Usage-Based licenses</HelpLink> are charged the quantity,
              whatever the price. A new price applies from the next use; past charges do not change.
            </Trans>
          </Typography>
          <Form form={form} onDone={() => form.reset(NONE)}>
            <Column gap="s">
              <Row gap="s" align="start">
                <FormField
                  {...form.field("tokenCost")}
                  label={t`New price in credits`}
                  type="number"
                  autoFocus
                  demand={{ minimum: 0 }}
                  input={{ step: "any", inputMode: "decimal" }}
                  helperText={t`Up to 6 decimal places.`}
                />
                <SubmitButton className={styles.set} disabled={!isDirty}>
                  {t`Set price`}
                </SubmitButton>
              </Row>
              <FormProblem />
            </Column>
          </Form>
          <PriceHistory featureId={feature.id} />
        </Column>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t`Close`}</Button>
      </DialogActions>
    </Dialog>
  );
}

/** All prices of a feature, newest first. */
function PriceHistory({ featureId }: { featureId: string }) {
  const { data, error } = $api.useQuery("get", "/api/meter/features/{featureId}/pricing", {
    params: { path: { featureId }, query: { pageSize: 100, sort: "-createdAt" } },
  });
  if (error) return <ProblemAlert error={error} />;
  if (!data) return <Skeleton variant="rounded" height={120} />;
  if (data.items.length === 0)
    return (
      <Typography color="textSecondary">
        {t`No price yet. Use of this feature by a Credit-Based license is rejected with PricingNotConfigured.`}
      </Typography>
    );
  return (
    <div className={styles.history}>
      <MuiTable size="small" aria-label={t`Price history`}>
        <TableHead>
          <TableRow>
            <TableCell align="right">{t`Credits`}</TableCell>
            <TableCell>{t`Since`}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {data.items.map((price) => (
            <TableRow key={price.id}>
              <TableCell align="right">{number(price.tokenCost)}</TableCell>
              <TableCell>
                <Row gap="s" wraps>
                  {dateTime(price.createdAt)}
                  {price.active && <StatusChip status="Current" tone="good" />}
                </Row>
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </MuiTable>
    </div>
  );
}
