import { t } from "@lingui/core/macro";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormLabel from "@mui/material/FormLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import Typography from "@mui/material/Typography";
import { useId } from "react";
import { KIND_LABELS, type ConnectorKind } from "../connector";
import { SHOPS } from "./kinds";

interface KindFieldProps {
  value: ConnectorKind;
  onValue: (kind: ConnectorKind) => void;
}

const KINDS = Object.keys(KIND_LABELS) as ConnectorKind[];

/** The kind of shop, which cannot be changed later. */
export function KindField({ value, onValue }: KindFieldProps) {
  const id = useId();
  return (
    <FormControl>
      <FormLabel id={id}>{t`Where do you sell?`}</FormLabel>
      <RadioGroup
        aria-labelledby={id}
        value={value}
        onChange={(_, chosen) => {
          onValue(chosen as ConnectorKind);
        }}
      >
        {KINDS.map((kind) => (
          <FormControlLabel
            key={kind}
            value={kind}
            control={<Radio />}
            label={
              <>
                {KIND_LABELS[kind]}
                <Typography
                  component="span"
                  variant="caption"
                  color="textSecondary"
                  sx={{ display: "block" }}
                >
                  {SHOPS[kind].summary}
                </Typography>
              </>
            }
          />
        ))}
      </RadioGroup>
    </FormControl>
  );
}
