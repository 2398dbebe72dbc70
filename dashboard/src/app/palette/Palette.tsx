import { t } from "@lingui/core/macro";
import Dialog from "@mui/material/Dialog";
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from "react";
import { useNavigate } from "react-router";
import { serviceUrl } from "../../api/address";
import { Emblem } from "../../ui/Emblem";
import { folded } from "../../ui/folded";
import { SearchIcon } from "../../ui/icons";
import { StatusChip } from "../../ui/StatusChip";
import { remember } from "../../ui/visited";
import { kindWords, type Offer, type Section, type Thing } from "./found";
import styles from "./palette.module.css";
import { useFirstActOn } from "./useInView";
import { useOffers } from "./useOffers";
import { countUse } from "./usual";

/** Pages and actions are always there; other things are worth coming back to. */
const ALWAYS_THERE = ["Page", "Action", "Setting", "Help"];

/** The keys that do something with what is chosen. */
type Key = "Enter" | "Ctrl+Enter" | "Shift+Enter" | "Tab";

interface PaletteProps {
  /** What was typed before it was there. */
  typed: string;
  onClose: () => void;
  onShortcuts: () => void;
}

/** Search and jump: everything that the service holds and the dashboard can do, by keyboard. */
export default function Palette({ typed, onClose, onShortcuts }: PaletteProps) {
  const [text, setText] = useState(typed);
  const [place, setPlace] = useState(0);
  // What the acts are shown of, and what was typed to find it.
  const [on, setOn] = useState<{ thing: Thing; typed: string } | null>(null);
  // A key that was pressed while what is shown was of an earlier text.
  const [early, setEarly] = useState<Key | null>(null);
  const { sections, usual, isBusy, isNothing } = useOffers(text, on?.thing ?? null, onShortcuts);
  const navigate = useNavigate();
  const id = useId();
  const offers = sections.flatMap((section) => section.offers);
  const chosen = offers[Math.min(place, offers.length - 1)];
  const first = useFirstActOn(chosen?.thing);
  const idOf = (offer: Offer) => `${id}-${String(offers.indexOf(offer))}`;
  const type = (next: string) => {
    setText(next);
    setPlace(0);
    setEarly(null);
  };
  const back = () => {
    type(on?.typed ?? "");
    setOn(null);
  };
  const open = (offer: Offer, isElsewhere = false) => {
    const { to, types } = offer;
    if (types !== undefined) {
      type(types);
      return;
    }
    onClose();
    if (usual.includes(offer)) countUse(offer);
    if (typeof to !== "string") {
      to();
      return;
    }
    if (!ALWAYS_THERE.includes(offer.kind)) remember({ ...offer, to });
    if (isElsewhere) window.open(serviceUrl(to), "_blank", "noopener");
    else void navigate(to);
  };
  const actOn = (key: Key) => {
    // What was moved to is meant, and so is what only completes the text.
    const isMeant = place > 0 || (chosen?.types && folded(chosen.types).startsWith(folded(text)));
    const waits = (isBusy && !isMeant) || (key === "Shift+Enter" && first.isBusy);
    setEarly(waits ? key : null);
    if (waits || !chosen) return;
    if (key === "Enter") open(chosen);
    if (key === "Ctrl+Enter") open(chosen, true);
    if (key === "Shift+Enter" && first.offer) open(first.offer);
    if (key === "Tab" && chosen.thing) {
      setOn({ thing: chosen.thing, typed: text });
      type("");
    }
  };
  const act = useEffectEvent(actOn);
  useEffect(() => {
    if (isBusy || first.isBusy || !early) return;
    const soon = setTimeout(() => act(early));
    return () => clearTimeout(soon);
  }, [isBusy, first.isBusy, early]);
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && offers.length > 0) {
      event.preventDefault();
      setEarly(null);
      setPlace((Math.min(place, offers.length - 1) + step + offers.length) % offers.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      actOn(
        event.shiftKey ? "Shift+Enter" : event.ctrlKey || event.metaKey ? "Ctrl+Enter" : "Enter",
      );
    } else if (event.key === "Tab") {
      // There is nothing else to go to in the dialog.
      event.preventDefault();
      if (!event.shiftKey && (isBusy || chosen?.thing)) actOn("Tab");
    } else if (on && (event.key === "Escape" || (event.key === "Backspace" && text === ""))) {
      event.preventDefault();
      event.stopPropagation();
      back();
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      aria-labelledby={`${id}-title`}
      transitionDuration={0}
      slotProps={{ paper: { className: styles.paper } }}
    >
      <h2 id={`${id}-title`} className={styles.hidden}>
        {t`Search or jump to`}
      </h2>
      <div className={styles.field}>
        <SearchIcon aria-hidden />
        <input
          autoFocus
          type="text"
          role="combobox"
          aria-label={t`Search`}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={chosen && idOf(chosen)}
          placeholder={
            on
              ? t`What to do with ${{ name: on.thing.title }}`
              : t`A license, a key, a customer, an order, a page…`
          }
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onKeyDown={onKey}
          onChange={(event) => type(event.target.value)}
        />
      </div>
      <div
        id={id}
        role="listbox"
        aria-label={t`Results`}
        aria-busy={isBusy}
        // Browsers make what scrolls reachable by Tab; the field has the focus all the time.
        tabIndex={-1}
        className={styles.list}
      >
        {sections.map((section) => (
          <Offers
            key={section.title}
            idOf={idOf}
            section={section}
            chosen={chosen}
            onChoose={(offer) => open(offer)}
            onPoint={(offer) => setPlace(offers.indexOf(offer))}
          />
        ))}
      </div>
      <p role="status" className={styles.none}>
        {isNothing && t`Nothing found for “${{ text: text.trim() }}”.`}
      </p>
      <p aria-hidden className={styles.hints}>
        <span>
          <kbd>↑↓</kbd> {t`Choose`}
        </span>
        <span>
          <kbd>↵</kbd> {t({ message: "Open", context: "verb" })}
        </span>
        <span>
          <kbd>{t`Ctrl`} ↵</kbd> {t`New tab`}
        </span>
        {on ? (
          <span>
            <kbd>Esc</kbd> {t`Back`}
          </span>
        ) : (
          chosen?.thing && (
            <>
              {first.offer && (
                <span>
                  <kbd>⇧ ↵</kbd> {first.offer.label}
                </span>
              )}
              <span>
                <kbd>Tab</kbd> {t`Actions`}
              </span>
            </>
          )
        )}
      </p>
    </Dialog>
  );
}

interface OffersProps {
  idOf: (offer: Offer) => string;
  section: Section;
  chosen: Offer | undefined;
  onChoose: (offer: Offer) => void;
  onPoint: (offer: Offer) => void;
}

const Offers = ({ idOf, section, chosen, onChoose, onPoint }: OffersProps) => (
  <div role="group" aria-label={section.title}>
    <p aria-hidden className={styles.title}>
      {section.title}
    </p>
    {section.offers.map((offer) => (
      <OfferItem
        key={offer.key}
        id={idOf(offer)}
        offer={offer}
        isChosen={offer === chosen}
        isMixed={section.isMixed ?? false}
        onChoose={onChoose}
        onPoint={onPoint}
      />
    ))}
  </div>
);

interface OfferItemProps {
  id: string;
  offer: Offer;
  isChosen: boolean;
  isMixed: boolean;
  onChoose: (offer: Offer) => void;
  onPoint: (offer: Offer) => void;
}

function OfferItem({ id, offer, isChosen, isMixed, onChoose, onPoint }: OfferItemProps) {
  const item = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) item.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return (
    <div
      ref={item}
      id={id}
      role="option"
      aria-selected={isChosen}
      className={styles.offer}
      data-grave={offer.isGrave}
      onMouseMove={({ movementX, movementY }) => {
        // Browsers also say that a resting mouse moves, when what is under it does.
        if (!isChosen && (movementX !== 0 || movementY !== 0)) onPoint(offer);
      }}
      onClick={() => onChoose(offer)}
    >
      {offer.emblem ? <Emblem {...offer.emblem} /> : <offer.icon aria-hidden />}
      <span className={styles.label} dir="auto">
        {offer.label}
      </span>
      {offer.detail && <span className={styles.detail}>{offer.detail}</span>}
      {offer.status && <StatusChip status={offer.status} {...offer.verdict} />}
      {isMixed && <span className={styles.kind}>{kindWords(offer.kind)}</span>}
    </div>
  );
}
