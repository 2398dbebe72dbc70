import { t } from "@lingui/core/macro";
import Alert from "@mui/material/Alert";
import {
  createContext,
  memo,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import Markdown from "react-markdown";
import type { Components, ExtraProps } from "react-markdown";
import { useLocation } from "react-router";
import remarkGfm from "remark-gfm";
import { CopyButton } from "../ui/CopyButton";
import { LinkIcon } from "../ui/icons";
import styles from "./prose.module.css";
import { anchorOf, type Passage } from "./text";
import { serviceUrl } from "../api/address";
import { PageLink } from "../ui/PageLink";

/** The page that a heading is on. */
const PageContext = createContext<Pick<ProseProps, "path" | "passages">>({ path: "" });

type Element = NonNullable<ExtraProps["node"]>;

const textOf = (node: Element): string =>
  node.children
    .map((child) =>
      child.type === "text" ? child.value : child.type === "element" ? textOf(child) : "",
    )
    .join("");

interface HeadingProps {
  level: "h2" | "h3";
  node: Element | undefined;
  children: ReactNode;
}

/** A heading with a button to copy its link; the heading in the URL is highlighted. */
function Heading({ level: Level, node, children }: HeadingProps) {
  const { hash } = useLocation();
  const { path, passages } = useContext(PageContext);
  if (!node) return null;
  const text = textOf(node);
  const known = passages?.find(({ heading }) => heading?.text === text)?.heading?.anchor;
  const anchor = known ?? anchorOf(text);
  const isWanted = decodeURIComponent(hash) === `#${anchor}`;
  return (
    <div className={styles.heading}>
      <Level id={anchor} tabIndex={-1} data-wanted={isWanted || undefined}>
        {children}
      </Level>
      <CopyButton
        value={serviceUrl(`${path}#${anchor}`)}
        label={t`Copy link to “${text}”`}
        icon={<LinkIcon />}
      />
    </div>
  );
}

const COMPONENTS: Components = {
  h2: ({ node, children }) => (
    <Heading level="h2" node={node}>
      {children}
    </Heading>
  ),
  h3: ({ node, children }) => (
    <Heading level="h3" node={node}>
      {children}
    </Heading>
  ),
  a: ({ href = "", children }) => <PageLink to={href}>{children}</PageLink>,
  table: ({ node, children }) => (
    <ScrollBox label={t`Table: ${{ columns: node ? headOf(node) : "" }}`}>
      <table>{children}</table>
    </ScrollBox>
  ),
  // An empty header cell is not a header.
  th: ({ children }) => (children ? <th scope="col">{children}</th> : <td />),
  blockquote: ({ children }) => (
    <Alert severity="info" role="note">
      {children}
    </Alert>
  ),
};

const headOf = (table: Element): string => {
  const head = table.children.find((child) => child.type === "element");
  const row = head?.children.find((child) => child.type === "element");
  const cells = row?.children.filter((child) => child.type === "element") ?? [];
  return cells.map(textOf).filter(Boolean).join(", ");
};

interface ProseProps {
  markdown: string;
  /** The address of the page, for the links to its headings. */
  path: string;
  /** What the page was split into, if its headings may have other anchors than their words. */
  passages?: readonly Passage[];
}

/** Renders the Markdown of a page; HTML in it is skipped. */
export const Prose = memo(function Prose({ markdown, path, passages }: ProseProps) {
  const page = useMemo(() => ({ path, passages }), [path, passages]);
  return (
    <PageContext value={page}>
      <Markdown remarkPlugins={[remarkGfm]} components={COMPONENTS} skipHtml>
        {markdown}
      </Markdown>
    </PageContext>
  );
});

interface ScrollBoxProps {
  label: string;
  children: ReactNode;
}

/**
 * Scrolls wide content horizontally. Focusable by keyboard only if there is something to scroll.
 */
function ScrollBox({ label, children }: ScrollBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      setScrolls(element.scrollWidth > element.clientWidth),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={box}
      className={styles.table}
      {...(scrolls && { tabIndex: 0, role: "region", "aria-label": label })}
    >
      {children}
    </div>
  );
}
