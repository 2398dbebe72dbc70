import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormLabel from "@mui/material/FormLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import Skeleton from "@mui/material/Skeleton";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { $api, api, at } from "../../api/client";
import type { Schemas } from "../../api/types";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { CopyButton } from "../../ui/CopyButton";
import { FormDialog } from "../../ui/form/FormDialog";
import { useApiForm } from "../../ui/form/useApiForm";
import { useField } from "../../ui/form/useField";
import { dateTime, relative } from "../../ui/formats";
import { HideIcon, ShowIcon } from "../../ui/icons";
import { Row } from "../../ui/layout/layout";
import { Muted } from "../../ui/Muted";
import { ProblemAlert } from "../../ui/ProblemAlert";
import { Section } from "../../ui/Section";
import styles from "./credentials.module.css";

/** A product key with all but its first characters masked. */
export const masked = (productKey: string): string => `${productKey.slice(0, 7)}${"•".repeat(12)}`;

type ProductKey = Schemas["ProductKey"];

/** The product keys, for users who may see them. */
export function ProductKeysSection({ productId }: { productId: string }) {
  const [isShown, setShown] = useState(false);
  const [isRotating, setRotating] = useState(false);
  const [deleting, setDeleting] = useState<ProductKey | null>(null);
  const params = { path: { productId } };
  const { data, error } = $api.useQuery("get", "/api/products/{productId}/credentials", { params });
  return (
    <Section
      title={t`Product keys`}
      subtitle={t`Applications send a product key as X-API-KEY. It allows only what an application needs and cannot issue or list licenses.`}
      help="product-keys"
      actions={
        <>
          <Button
            size="small"
            startIcon={isShown ? <HideIcon /> : <ShowIcon />}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? t`Hide` : t`Show`}
          </Button>
          <Button size="small" variant="outlined" onClick={() => setRotating(true)}>
            {t`Rotate product key`}
          </Button>
        </>
      }
    >
      {error && <ProblemAlert error={error} />}
      {!data && !error && <Skeleton variant="rounded" height={90} />}
      {data && <ProductKeyTable keys={data.keys} isShown={isShown} onRevoke={setDeleting} />}
      {isRotating && (
        <RotateProductKeyDialog productId={productId} onClose={() => setRotating(false)} />
      )}
      {deleting && (
        <ConfirmDialog
          title={t`Revoke product key`}
          action={t`Revoke product key`}
          danger
          consequence={t`Every build that contains ${masked(deleting.apiKey)} is rejected immediately, and this cannot be undone. Online licenses in these builds keep working for their grace period and then stop. Revoke the key once these builds are no longer in use.`}
          onConfirm={() =>
            api.DELETE(
              "/api/products/{productId}/credentials/{keyId}",
              at({ productId, keyId: deleting.id }),
            )
          }
          done={t`Product key revoked.`}
          onClose={() => setDeleting(null)}
        />
      )}
    </Section>
  );
}

interface ProductKeyTableProps {
  /** Newest first. */
  keys: ProductKey[];
  isShown: boolean;
  onRevoke: (key: ProductKey) => void;
}

const ProductKeyTable = ({ keys, isShown, onRevoke }: ProductKeyTableProps) => (
  <>
    <div className={styles.table}>
      <Table size="small" aria-label={t`Product keys`}>
        <TableHead>
          <TableRow>
            <TableCell>{t`Key`}</TableCell>
            <TableCell>{t`Created`}</TableCell>
            <TableCell>{t`Expires`}</TableCell>
            {keys.length > 1 && <TableCell align="right">{t`Actions`}</TableCell>}
          </TableRow>
        </TableHead>
        <TableBody>
          {keys.map((key) => (
            <TableRow key={key.id}>
              <TableCell>
                <Row gap="xs" className={styles.key}>
                  <code>{isShown ? key.apiKey : masked(key.apiKey)}</code>
                  <CopyButton
                    value={key.apiKey}
                    label={t`Copy product key created ${dateTime(key.createdAt)}`}
                  />
                </Row>
              </TableCell>
              <TableCell className={styles.moment}>{dateTime(key.createdAt)}</TableCell>
              <TableCell className={styles.moment}>
                {key.expiresAt ? (
                  <span title={dateTime(key.expiresAt)}>{relative(key.expiresAt)}</span>
                ) : (
                  t`Never`
                )}
              </TableCell>
              {keys.length > 1 && (
                <TableCell align="right">
                  <Button
                    size="small"
                    color="error"
                    aria-label={t`Revoke product key created ${dateTime(key.createdAt)}`}
                    onClick={() => onRevoke(key)}
                  >
                    {t`Revoke`}
                  </Button>
                </TableCell>
              )}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
    {keys.length === 1 && (
      <Muted className={styles.note}>
        {t`The last key cannot be revoked because every installation would stop working. Rotate it first.`}
      </Muted>
    )}
  </>
);

const HOUR = 3_600;
const GRACES: readonly (readonly [label: string, seconds: string])[] = [
  [t`Until I revoke them`, ""],
  [t`30 days`, String(720 * HOUR)],
  [t`1 day`, String(24 * HOUR)],
  [t`1 hour`, String(HOUR)],
];
const FIRST = { graceSeconds: "" };

interface RotateProductKeyDialogProps {
  productId: string;
  onClose: () => void;
}

/** Creates a new product key and sets how long the old ones keep working. */
function RotateProductKeyDialog({ productId, onClose }: RotateProductKeyDialogProps) {
  const form = useApiForm({
    values: FIRST,
    send: ({ graceSeconds }) =>
      api.POST("/api/products/{productId}/credentials/rotate", {
        ...at({ productId }),
        body: { graceSeconds: graceSeconds ? Number(graceSeconds) : null },
      }),
    done: t`Product key rotated. Use the new key in your next build.`,
  });
  const grace = useField(form.field("graceSeconds"));
  return (
    <FormDialog
      form={form}
      title={t`Rotate product key`}
      action={t`Rotate product key`}
      onClose={onClose}
    >
      <Typography color="textSecondary">
        {t`This creates a new key for your next builds. Choose a grace period that gives all customers time to update: after it, builds with an older key are rejected.`}
      </Typography>
      <FormControl>
        <FormLabel id="grace">{t`Existing keys keep working`}</FormLabel>
        <RadioGroup aria-labelledby="grace" value={grace.value} onChange={grace.set}>
          {GRACES.map(([label, seconds]) => (
            <FormControlLabel key={label} value={seconds} control={<Radio />} label={label} />
          ))}
        </RadioGroup>
      </FormControl>
    </FormDialog>
  );
}
