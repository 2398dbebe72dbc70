import Link from "@mui/material/Link";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { isLink } from "./links";
import styles from "./markdown.module.css";

const PARTS: Components = {
  a: ({ href, children }) =>
    isLink(href) ? (
      <Link href={href} target="_blank" rel="noopener noreferrer">
        {children}
      </Link>
    ) : (
      <>{children}</>
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
  <div dir="auto" className={styles.text}>
    <ReactMarkdown remarkPlugins={[remarkGfm]} disallowedElements={["img"]} components={PARTS}>
      {children}
    </ReactMarkdown>
  </div>
);
