import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";

const PARTS: Components = {
  a: ({ href, children }) => (
    <Link href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </Link>
  ),
  // Demote headings, so that they rank below those of the page.
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
};

/** User-provided Markdown. HTML is shown as text, and images are dropped. */
export const Markdown = ({ children }: { children: string }) => (
  <Box
    dir="auto"
    sx={{
      overflowWrap: "anywhere",
      "& > :first-of-type": { mt: 0 },
      "& > :last-child": { mb: 0 },
      "& h3, & h4, & h5, & h6": { fontSize: "1rem", fontWeight: 650, mt: 2, mb: 0.5 },
      "& p, & ul, & ol": { my: 1 },
      "& ul, & ol": { pl: 3 },
      "& pre": { p: 1.5, borderRadius: 1, bgcolor: "background.default", overflow: "auto" },
      "& code": { fontSize: 13 },
      "& table": { display: "block", overflowX: "auto", borderSpacing: 0 },
      "& th, & td": { border: 1, borderColor: "divider", px: 1, py: 0.5 },
      "& blockquote": { m: 0, pl: 2, borderLeft: 3, borderColor: "divider" },
    }}
  >
    <ReactMarkdown remarkPlugins={[remarkGfm]} disallowedElements={["img"]} components={PARTS}>
      {children}
    </ReactMarkdown>
  </Box>
);
