import { t } from "@lingui/core/macro";
import type { CheckboxProps } from "@mui/material/Checkbox";
import type { Components, Theme } from "@mui/material/styles";

const quick = (...properties: string[]) =>
  properties.map((property) => `${property} var(--quick) ease-out`).join(", ");

/** How what can be pressed, typed into and chosen looks. */
export const controls: Components<Omit<Theme, "components">> = {
  MuiButtonBase: { defaultProps: { disableRipple: true } },
  MuiButton: {
    defaultProps: { disableElevation: true, variant: "text", size: "medium" },
    styleOverrides: {
      root: {
        minWidth: 0,
        minHeight: "var(--control)",
        padding: "5px 12px",
        gap: 6,
        borderRadius: "var(--radius)",
        transition: quick("background-color", "border-color", "color"),
        "& .MuiButton-icon": { margin: 0 },
        "& .MuiButton-icon > *:nth-of-type(1)": { fontSize: 16 },
      },
      sizeSmall: { minHeight: 28, padding: "3px 8px" },
      sizeLarge: { minHeight: 40, padding: "9px 16px", fontSize: "var(--type-body)" },
    },
    variants: [
      {
        props: { variant: "text", color: "primary" },
        style: { color: "var(--ink)", "&:hover": { backgroundColor: "var(--hover)" } },
      },
      {
        props: { variant: "outlined", color: "primary" },
        style: {
          color: "var(--ink)",
          borderColor: "var(--edge)",
          backgroundColor: "var(--sheet)",
          "&:hover": { backgroundColor: "var(--sunken)", borderColor: "var(--muted)" },
        },
      },
      {
        props: { variant: "outlined", color: "error" },
        style: {
          borderColor: "var(--edge)",
          "&:hover": { backgroundColor: "var(--bad-soft)", borderColor: "var(--bad)" },
        },
      },
      {
        props: { variant: "contained", color: "error" },
        style: { color: "var(--sheet)", "&:hover": { opacity: 0.92 } },
      },
    ],
  },
  MuiIconButton: {
    styleOverrides: {
      root: {
        width: "var(--control)",
        height: "var(--control)",
        padding: 0,
        borderRadius: "var(--radius)",
        fontSize: 18,
        transition: quick("background-color", "color"),
        "&:hover": { backgroundColor: "var(--hover)" },
      },
      sizeSmall: { width: 26, height: 26, fontSize: 16 },
    },
  },
  MuiSvgIcon: { styleOverrides: { fontSizeSmall: { fontSize: 16 }, root: { fontSize: 18 } } },
  MuiLink: {
    defaultProps: { underline: "hover" },
    styleOverrides: {
      root: { color: "var(--accent)", textUnderlineOffset: 3, textDecorationThickness: 1 },
    },
  },
  MuiTextField: { defaultProps: { variant: "outlined", size: "small" } },
  MuiFormControl: { defaultProps: { variant: "outlined", size: "small" } },
  // The label stands above its field and never moves.
  MuiInputLabel: {
    defaultProps: { shrink: true, disableAnimation: true },
    styleOverrides: {
      root: {
        position: "static",
        transform: "none",
        maxWidth: "100%",
        marginBottom: 4,
        whiteSpace: "normal",
        fontSize: "var(--type-dense)",
        lineHeight: "20px",
        fontWeight: 550,
        color: "var(--ink)",
        pointerEvents: "auto",
        "&.Mui-focused, &.Mui-error": { color: "var(--ink)" },
        "&.Mui-disabled": { color: "var(--muted)" },
        "& .MuiFormLabel-asterisk": { color: "var(--muted)" },
      },
    },
  },
  MuiFormLabel: {
    styleOverrides: {
      root: {
        fontSize: "var(--type-dense)",
        lineHeight: "20px",
        fontWeight: 550,
        color: "var(--ink)",
        "&.Mui-focused": { color: "var(--ink)" },
      },
    },
  },
  MuiOutlinedInput: {
    defaultProps: { notched: false },
    styleOverrides: {
      root: {
        minHeight: "var(--control)",
        fontSize: "var(--type-body)",
        lineHeight: "20px",
        borderRadius: "var(--radius)",
        backgroundColor: "var(--sheet)",
        "&.Mui-disabled": { backgroundColor: "var(--sunken)" },
        "&.MuiInputBase-multiline": { padding: "6px 10px" },
        "&.MuiInputBase-multiline .MuiInputBase-input": { padding: 0 },
        "&.MuiInputBase-adornedStart": { paddingLeft: 10 },
        "&.MuiInputBase-adornedStart .MuiInputBase-input": { paddingLeft: 0 },
        "&.MuiInputBase-adornedEnd .MuiInputBase-input": { paddingRight: 0 },
        "&.Mui-focused .MuiOutlinedInput-notchedOutline": {
          borderWidth: 1,
          outline: "2px solid color-mix(in srgb, var(--accent) 30%, transparent)",
        },
      },
      input: { height: 20, padding: "5px 10px" },
      notchedOutline: {
        inset: 0,
        borderColor: "var(--edge)",
        "& legend": { display: "none" },
      },
    },
  },
  MuiInputBase: {
    styleOverrides: {
      input: { "&::placeholder": { color: "var(--muted)", opacity: 1 } },
    },
  },
  MuiInputAdornment: {
    styleOverrides: { root: { color: "var(--muted)", fontSize: 16, marginRight: 6 } },
  },
  MuiFormHelperText: {
    styleOverrides: {
      root: {
        margin: "4px 0 0",
        fontSize: "var(--type-small)",
        lineHeight: "16px",
        // Says why a field is disabled, so it is read.
        "&.Mui-disabled": { color: "var(--muted)" },
      },
    },
  },
  MuiSelect: { styleOverrides: { icon: { right: 8, color: "var(--muted)" } } },
  MuiAutocomplete: {
    defaultProps: {
      clearText: t`Clear`,
      closeText: t`Close`,
      loadingText: t`Loading…`,
      noOptionsText: t`No options`,
      openText: t({ message: "Open", context: "verb" }),
    },
    styleOverrides: {
      inputRoot: {
        "&.MuiOutlinedInput-root": { padding: "0 64px 0 0" },
        "& .MuiAutocomplete-input.MuiOutlinedInput-input": { padding: "5px 10px" },
      },
      endAdornment: { right: 6, top: "50%", transform: "translateY(-50%)" },
      option: { fontSize: "var(--type-dense)", minHeight: 32 },
    },
  },
  MuiCheckbox: {
    defaultProps: {
      size: "small",
      slotProps: {
        root: { "aria-label": undefined },
        // A checkbox of a table has its label on the wrapper, where nobody reads it.
        input: (given: CheckboxProps) => ({ "aria-label": given["aria-label"] }),
      },
    },
    styleOverrides: { root: { padding: 6, color: "var(--edge)" } },
  },
  MuiRadio: {
    defaultProps: { size: "small" },
    styleOverrides: { root: { padding: 6, color: "var(--edge)" } },
  },
  MuiFormControlLabel: {
    styleOverrides: { root: { marginLeft: -6 }, label: { fontSize: "var(--type-body)" } },
  },
  MuiSwitch: {
    defaultProps: { size: "small" },
    styleOverrides: {
      root: { margin: "6px 8px 6px 6px" },
      track: { opacity: 1, backgroundColor: "var(--edge)" },
      thumb: {
        boxShadow: "none",
        backgroundColor: "var(--sheet)",
        border: "1px solid var(--edge)",
      },
      switchBase: {
        "&.Mui-checked + .MuiSwitch-track": { opacity: 1, backgroundColor: "var(--accent)" },
        "&.Mui-checked .MuiSwitch-thumb": { borderColor: "var(--accent)" },
      },
    },
  },
  MuiToggleButtonGroup: { defaultProps: { size: "small" } },
  MuiToggleButton: {
    styleOverrides: {
      root: {
        minHeight: "var(--control)",
        padding: "3px 10px",
        color: "var(--muted)",
        borderColor: "var(--edge)",
        backgroundColor: "var(--sheet)",
        fontSize: "var(--type-dense)",
        "&:hover": { backgroundColor: "var(--sunken)" },
        "&.Mui-selected, &.Mui-selected:hover": {
          color: "var(--accent)",
          backgroundColor: "var(--selected)",
        },
      },
    },
  },
};
