import { t } from "@lingui/core/macro";
import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router";
import { Column } from "../ui/layout/layout";
import styles from "./help.module.css";
import type { Heading } from "./text";

/** Table of contents, next to the page or above it on small screens. */
export const Contents = ({ headings }: { headings: Heading[] }) => (
  <nav aria-labelledby="on-this-page" className={styles.contents}>
    <h2 id="on-this-page">{t`On this page`}</h2>
    <Column as="ul" lang="en">
      {headings.map((heading) => (
        <li key={heading.anchor}>
          <Link
            component={RouterLink}
            to={{ hash: heading.anchor }}
            variant="body2"
            color="textSecondary"
            className={styles.heading}
          >
            {heading.text}
          </Link>
        </li>
      ))}
    </Column>
  </nav>
);
