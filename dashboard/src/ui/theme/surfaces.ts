import type { Components, Theme } from "@mui/material/styles";
import { keepFocus } from "./keepFocus";

const TONES = { success: "good", warning: "wait", error: "bad", info: "news" } as const;
const LINE = "1px solid var(--line)";
const DIALOG_TOP = "min(12vh, 96px)";

/** How what holds other things looks: flat, with hairlines; only what floats has a shadow. */
export const surfaces: Components<Omit<Theme, "components">> = {
  MuiCssBaseline: {
    styleOverrides: {
      html: { scrollbarGutter: "stable" },
      // A backdrop ends where the scrollbar would be; what is beside it, where browsers paint no
      // image, has the color of the ground under it.
      "html:has(> body > .MuiModal-root > .MuiBackdrop-root:not(.MuiBackdrop-invisible))": {
        backgroundColor: "var(--dimmed)",
      },
      body: {
        fontFamily: "var(--family)",
        backgroundColor: "var(--ground)",
        overflowWrap: "break-word",
      },
      ":focus-visible": { outline: "2px solid var(--accent)", outlineOffset: 2 },
      "code, kbd, pre, samp": { fontFamily: "var(--family-code)", fontSize: "0.9286em" },
      "h1, h2, h3, h4, h5, h6": { textWrap: "balance" },
      ".lucide": { width: "1em", height: "1em", strokeWidth: 1.75, flexShrink: 0 },
      "::selection": { backgroundColor: "color-mix(in srgb, var(--accent) 24%, transparent)" },
    },
  },
  MuiPaper: {
    defaultProps: { elevation: 0 },
    styleOverrides: { root: { backgroundImage: "none" }, rounded: { border: LINE } },
  },
  MuiCard: { styleOverrides: { root: { borderRadius: 8, border: LINE } } },
  MuiCardContent: {
    styleOverrides: { root: { padding: 16, "&:last-child": { paddingBottom: 16 } } },
  },
  MuiMenu: {
    styleOverrides: {
      paper: { border: LINE, backgroundColor: "var(--raised)", boxShadow: "var(--float)" },
      list: { padding: 4 },
    },
  },
  MuiPopover: {
    styleOverrides: {
      paper: { border: LINE, backgroundColor: "var(--raised)", boxShadow: "var(--float)" },
    },
  },
  MuiMenuItem: {
    styleOverrides: {
      root: {
        minHeight: 32,
        padding: "4px 8px",
        borderRadius: 4,
        fontSize: "var(--type-dense)",
        "&.Mui-selected, &.Mui-selected:hover": { backgroundColor: "var(--selected)" },
      },
    },
  },
  MuiListItemIcon: {
    styleOverrides: { root: { minWidth: 26, color: "var(--muted)", fontSize: 16 } },
  },
  MuiListItemText: { styleOverrides: { primary: { fontSize: "var(--type-dense)" } } },
  MuiBackdrop: {
    styleOverrides: {
      root: { "&:not(.MuiBackdrop-invisible)": { backgroundColor: "var(--scrim)" } },
    },
  },
  // The title and the buttons of a tall dialog stay; what is between them scrolls.
  MuiDialog: {
    defaultProps: { maxWidth: "sm", fullWidth: true, onFocus: keepFocus },
    styleOverrides: {
      // One that grows while something is chosen grows downwards, so that nothing in it moves.
      container: { alignItems: "flex-start" },
      paper: {
        marginTop: DIALOG_TOP,
        maxHeight: `calc(100% - ${DIALOG_TOP} - 32px)`,
        border: LINE,
        borderRadius: 12,
        backgroundColor: "var(--raised)",
        boxShadow: "var(--float)",
        // It has the focus until something in it takes it; the whole window says so.
        "&:focus-visible": { outline: "none" },
        "& > form": { display: "flex", flexDirection: "column", minHeight: 0 },
        "@media (max-width: 599px)": {
          margin: 8,
          maxHeight: "calc(100% - 16px)",
          width: "calc(100% - 16px)",
        },
      },
    },
  },
  MuiDialogTitle: {
    styleOverrides: {
      root: { padding: "16px 20px 8px", fontSize: "var(--type-title)", lineHeight: "28px" },
    },
  },
  MuiDialogContent: { styleOverrides: { root: { padding: "4px 20px 20px" } } },
  MuiDialogContentText: { styleOverrides: { root: { color: "var(--muted)" } } },
  MuiDialogActions: {
    styleOverrides: { root: { padding: "12px 20px", borderTop: LINE, gap: 8 } },
  },
  MuiDrawer: {
    styleOverrides: { paper: { border: 0, borderLeft: LINE, boxShadow: "var(--float)" } },
  },
  MuiTooltip: {
    defaultProps: { enterDelay: 400, enterNextDelay: 100 },
    styleOverrides: {
      tooltip: {
        padding: "4px 8px",
        fontSize: "var(--type-small)",
        lineHeight: "16px",
        fontWeight: 500,
        color: "var(--sheet)",
        backgroundColor: "var(--ink)",
      },
    },
  },
  MuiAlert: {
    styleOverrides: {
      root: {
        padding: "8px 12px",
        border: 0,
        borderRadius: "var(--radius)",
        fontSize: "var(--type-dense)",
        lineHeight: "20px",
        color: "var(--ink)",
      },
      icon: { padding: "2px 0", marginRight: 8, fontSize: 18, opacity: 1 },
      message: { padding: 0, minWidth: 0, alignSelf: "center" },
      // The words of a button stand on the line of the message.
      action: { padding: 0, margin: "-4px -4px -4px auto", alignItems: "center" },
    },
    variants: Object.entries(TONES).map(([severity, tone]) => ({
      props: { severity: severity as keyof typeof TONES, variant: "standard" as const },
      style: {
        backgroundColor: `var(--${tone}-soft)`,
        "& .MuiAlert-icon": { color: `var(--${tone})` },
      },
    })),
  },
  MuiChip: {
    styleOverrides: {
      root: {
        height: 24,
        borderRadius: "var(--radius)",
        fontSize: "var(--type-small)",
        fontWeight: 550,
        backgroundColor: "var(--over-soft)",
        color: "var(--over)",
      },
      sizeSmall: { height: 20, "& .MuiChip-label": { paddingInline: 6 } },
      label: { paddingInline: 8 },
      outlined: { backgroundColor: "transparent", borderColor: "var(--line)", color: "var(--ink)" },
    },
    variants: [
      ...Object.entries(TONES).map(([color, tone]) => ({
        props: { color: color as keyof typeof TONES, variant: "filled" as const },
        style: {
          backgroundColor: `var(--${tone}-soft)`,
          color: `var(--${tone})`,
          "& .MuiChip-icon": { color: "inherit" },
        },
      })),
      {
        props: { color: "primary", variant: "filled" },
        style: { backgroundColor: "var(--accent-soft)", color: "var(--accent)" },
      },
    ],
  },
  MuiTabs: {
    styleOverrides: {
      root: { minHeight: 40 },
      indicator: { height: 2, backgroundColor: "var(--accent)" },
    },
  },
  MuiTab: {
    styleOverrides: {
      root: {
        minWidth: 0,
        minHeight: 40,
        padding: "8px 2px",
        marginRight: 20,
        fontSize: "var(--type-dense)",
        fontWeight: 550,
        color: "var(--muted)",
        "&:hover, &.Mui-selected": { color: "var(--ink)" },
      },
    },
  },
  MuiTableCell: {
    styleOverrides: {
      root: { borderColor: "var(--line)", padding: "6px 12px", fontSize: "var(--type-dense)" },
      head: { fontSize: "var(--type-small)", fontWeight: 550, color: "var(--muted)" },
    },
  },
  MuiLinearProgress: {
    styleOverrides: { root: { height: 4, borderRadius: 2, backgroundColor: "var(--over-soft)" } },
  },
  MuiSkeleton: {
    defaultProps: { animation: "pulse" },
    styleOverrides: { root: { backgroundColor: "var(--pressed)" } },
  },
  MuiBadge: {
    styleOverrides: {
      badge: { minWidth: 16, height: 16, padding: "0 4px", fontSize: 11, fontWeight: 600 },
    },
  },
};
