import { t } from "@lingui/core/macro";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import type { Schemas } from "../../api/types";
import { CopyButton } from "../../ui/CopyButton";
import { dateTime, relative } from "../../ui/formats";
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
    <Box sx={{ overflowX: "auto" }}>
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
                <Stack direction="row" sx={{ gap: 0.5, alignItems: "center", minWidth: 190 }}>
                  <Box component="code" sx={{ overflowWrap: "anywhere" }}>
                    {isShown ? key.apiKey : masked(key.apiKey)}
                  </Box>
                  <CopyButton
                    value={key.apiKey}
                    label={t`Copy product key created ${dateTime(key.createdAt)}`}
                  />
                </Stack>
              </TableCell>
              <TableCell sx={{ whiteSpace: "nowrap" }}>{dateTime(key.createdAt)}</TableCell>
              <TableCell sx={{ whiteSpace: "nowrap" }}>
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
                    onClick={() => {
                      onRevoke(key);
                    }}
                  >
                    {t`Revoke`}
                  </Button>
                </TableCell>
              )}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
    {keys.length === 1 && (
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1.5 }}>
        {t`The last key cannot be revoked because every installation would stop working. Rotate it first.`}
      </Typography>
    )}
  </>
);
