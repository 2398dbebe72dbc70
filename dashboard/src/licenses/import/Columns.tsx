import { t } from "@lingui/core/macro";
import MenuItem from "@mui/material/MenuItem";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableContainer from "@mui/material/TableContainer";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import TextField from "@mui/material/TextField";
import styles from "./import.module.css";
import { importFields, METADATA, type ImportTable, type Mapping } from "./table";

interface ColumnsProps {
  table: ImportTable;
  mapping: Mapping;
  onChange: (mapping: Mapping) => void;
}

/** Maps the columns of a file to fields of licenses; a field that is chosen twice moves. */
export function Columns({ table, mapping, onChange }: ColumnsProps) {
  const choose = (at: number, field: string) =>
    onChange(mapping.map((old, other) => (other === at ? field : old === field ? "" : old)));
  return (
    <TableContainer>
      <Table size="small" aria-label={t`Columns`}>
        <TableHead>
          <TableRow>
            <TableCell>{t`In the file`}</TableCell>
            <TableCell className={styles.example}>{t`First row`}</TableCell>
            <TableCell>{t`Becomes`}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {table.names.map((name, at) => (
            <TableRow key={at}>
              <TableCell component="th" scope="row" className={styles.name} dir="auto">
                {name || t`Column ${{ number: at + 1 }}`}
              </TableCell>
              <TableCell className={styles.example} dir="auto">
                {table.rows[0]?.[at]}
              </TableCell>
              <TableCell className={styles.field}>
                <TextField
                  select
                  fullWidth
                  value={mapping[at] ?? ""}
                  onChange={(event) => choose(at, event.target.value)}
                  slotProps={{
                    select: { displayEmpty: true },
                    htmlInput: { "aria-label": t`Becomes: ${name}` },
                  }}
                >
                  <MenuItem value="">{t`Not imported`}</MenuItem>
                  {importFields().map(([field, label]) => (
                    <MenuItem key={field} value={field}>
                      {label}
                    </MenuItem>
                  ))}
                  {name.trim() && (
                    <MenuItem
                      value={pairOf(name)}
                    >{t`Metadata “${{ name: pairOf(name).slice(METADATA.length) }}”`}</MenuItem>
                  )}
                </TextField>
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

const pairOf = (name: string) =>
  name.toLowerCase().startsWith(METADATA) ? name : METADATA + name.trim();
