import type { CheckboxProps } from "@mui/material/Checkbox";
import { alpha, darken } from "@mui/material/styles";
import { deepmerge } from "@mui/utils";
import { defaultDarkTheme, defaultLightTheme, type RaThemeOptions } from "react-admin";

declare module "@mui/material/styles" {
  interface Palette {
    /** Colors of the series of a chart, in order. */
    charts: readonly string[];
  }
  interface PaletteOptions {
    charts?: readonly string[];
  }
}

const LIGHT = {
  ink: "#10131c",
  faint: "#565d6d",
  line: "#e3e6ee",
  paper: "#ffffff",
  ground: "#f7f8fb",
  primary: "#3b5bdb",
  onPrimary: "#ffffff",
  success: "#0b6b47",
  warning: "#8a4b00",
  error: "#b42318",
  info: "#1d5fa8",
  // Distinguishable for color-blind users, with a contrast of 3:1 to the paper.
  charts: ["#3b5bdb", "#c75300", "#00563f", "#cb62ab"],
  soft: 0.09,
};

const DARK: typeof LIGHT = {
  ink: "#e6e8ef",
  faint: "#a3a9b8",
  line: "#2a2e3a",
  paper: "#171a22",
  ground: "#0f1218",
  primary: "#93a8ff",
  onPrimary: "#0d1020",
  success: "#5fd6a4",
  warning: "#f2b75c",
  error: "#ff9a93",
  info: "#8cc4ff",
  charts: ["#93a8ff", "#d98e04", "#1f8a6c", "#f3bcdc"],
  soft: 0.16,
};

const TONES = ["success", "warning", "error", "info"] as const;

/** One theme for both schemes: flat surfaces, hairline borders, soft status colors. */
export const brand = (mode: "light" | "dark"): RaThemeOptions => {
  const tone = mode === "dark" ? DARK : LIGHT;
  const border = `1px solid ${tone.line}`;
  const main = (color: string) => ({
    main: color,
    // Used on hover; keeps the text contrast.
    dark: darken(color, 0.12),
    contrastText: tone.onPrimary,
  });
  return deepmerge(mode === "dark" ? defaultDarkTheme : defaultLightTheme, {
    palette: {
      mode,
      primary: main(tone.primary),
      secondary: main(tone.primary),
      success: main(tone.success),
      warning: main(tone.warning),
      error: main(tone.error),
      info: main(tone.info),
      background: { default: tone.ground, paper: tone.paper },
      text: { primary: tone.ink, secondary: tone.faint },
      divider: tone.line,
      charts: tone.charts,
    },
    shape: { borderRadius: 8 },
    sidebar: { width: 224 },
    typography: {
      fontFamily: "'Inter Variable', system-ui, sans-serif",
      fontSize: 13.5,
      h4: { fontWeight: 700, fontSize: "1.7rem", letterSpacing: "-0.02em" },
      h5: { fontWeight: 700, fontSize: "1.4rem", letterSpacing: "-0.015em" },
      h6: { fontWeight: 650, fontSize: "1rem" },
      button: { textTransform: "none", fontWeight: 600 },
    },
    components: {
      MuiCssBaseline: {
        styleOverrides: {
          ":focus-visible": { outline: `2px solid ${tone.primary}`, outlineOffset: 2 },
          "code, kbd, pre": { fontFamily: "ui-monospace, 'SF Mono', Menlo, Consolas, monospace" },
        },
      },
      MuiAppBar: {
        defaultProps: { elevation: 0, color: "inherit" },
        styleOverrides: {
          root: {
            backgroundColor: tone.paper,
            backgroundImage: "none",
            color: tone.ink,
            border: 0,
            borderBottom: border,
            borderRadius: 0,
          },
        },
      },
      MuiPaper: {
        defaultProps: { elevation: 0 },
        styleOverrides: { root: { backgroundImage: "none" }, rounded: { border } },
      },
      MuiAlert: {
        styleOverrides: { root: { border: 0 } },
        variants: TONES.map((severity) => ({
          props: { severity, variant: "standard" as const },
          style: {
            backgroundColor: alpha(tone[severity], tone.soft),
            color: tone.ink,
            "& .MuiAlert-icon": { color: tone[severity] },
          },
        })),
      },
      MuiButton: {
        defaultProps: { disableElevation: true },
        styleOverrides: { root: { paddingInline: 14, minHeight: 32 } },
      },
      MuiLink: { styleOverrides: { root: { textUnderlineOffset: 3 } } },
      MuiTableCell: {
        styleOverrides: {
          root: { borderColor: tone.line, padding: "10px 14px" },
          head: { fontWeight: 600, color: tone.faint, backgroundColor: "transparent" },
        },
      },
      MuiToggleButtonGroup: { defaultProps: { color: "primary", size: "small" } },
      MuiToggleButton: { styleOverrides: { root: { textTransform: "none", paddingInline: 14 } } },
      MuiTextField: { defaultProps: { variant: "outlined", size: "small" } },
      MuiFormControl: { defaultProps: { variant: "outlined", size: "small" } },
      // react-admin puts the aria-label of table checkboxes on the wrapper instead of the input.
      MuiCheckbox: {
        defaultProps: {
          slotProps: {
            root: { "aria-label": undefined },
            input: (given: CheckboxProps) => ({ "aria-label": given["aria-label"] }),
          },
        },
      },
      MuiDialog: { defaultProps: { maxWidth: "sm", fullWidth: true } },
      MuiTab: {
        styleOverrides: { root: { textTransform: "none", minHeight: 46, fontWeight: 600 } },
      },
      MuiTooltip: { defaultProps: { arrow: true } },
      MuiChip: {
        styleOverrides: { root: { fontWeight: 600 } },
        variants: TONES.map((color) => ({
          props: { color, variant: "filled" as const },
          style: {
            backgroundColor: alpha(tone[color], tone.soft),
            color: tone[color],
            "& .MuiChip-icon": { color: "inherit" },
          },
        })),
      },
      RaLayout: {
        styleOverrides: {
          root: {
            // Otherwise a wide table widens the page instead of scrolling in its card.
            minWidth: 0,
            "& .RaLayout-appFrame": { marginTop: 56 },
            "& .RaLayout-content": { padding: "0 20px 32px", minWidth: 0 },
            "@media (max-width: 600px)": { "& .RaLayout-content": { padding: "0 12px 32px" } },
          },
        },
      },
      RaSidebar: {
        styleOverrides: {
          root: {
            "& .RaSidebar-fixed": { paddingInline: 8 },
            "& .MuiPaper-root": { backgroundColor: tone.paper },
            "&.MuiDrawer-docked": { backgroundColor: tone.paper, borderRight: border },
          },
        },
      },
      RaMenuItemLink: {
        styleOverrides: {
          root: {
            borderRadius: 8,
            marginBlock: 1,
            minHeight: 38,
            "&.RaMenuItemLink-active": {
              backgroundColor: alpha(tone.primary, 0.12),
              color: tone.primary,
              fontWeight: 600,
              "& .MuiSvgIcon-root": { color: tone.primary },
            },
          },
        },
      },
      RaDataTable: {
        styleOverrides: {
          root: { "& .RaDataTable-headerCell": { backgroundColor: "transparent" } },
        },
      },
    },
  } satisfies RaThemeOptions);
};
