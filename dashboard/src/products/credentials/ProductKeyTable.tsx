import { t } from "@lingui/core/macro";
import Button from "@mui/material/Button";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import type { Schemas } from "../../api/types";
import { CopyButton } from "../../ui/CopyButton";
import { dateTime, relative } from "../../ui/formats";
import { Row } from "../../ui/layout/layout";
import styles from "./credentials.module.css";
import { masked } from "./masked";

type ProductKey = Schemas["ProductKey"];

interface ProductKeyTableProps {
  /** Newest first. */
  keys: ProductKey[];
  isShown: boolean;
  onRevoke: (key: ProductKey) => void;
}

export const ProductKeyTable = ({ keys, isShown, onRevoke }: ProductKeyTableProps) => (
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
      <Typography variant="body2" color="textSecondary" className={styles.note}>
        {t`The last key cannot be revoked because every installation would stop working. Rotate it first.`}
      </Typography>
    )}
  </>
);
