import { t } from "@lingui/core/macro";
import type { Schemas } from "../../api/types";

interface Words {
  title: string;
  meaning: string;
  remedy: string;
}

/** What each check is called, what its finding means, and what to do about it. */
export const CHECKS: Record<Schemas["CheckName"], Words> = {
  Clock: {
    title: t`Clock`,
    meaning: t`The clock of this machine differs from the database's, or is not trusted.`,
    remedy: t`Synchronize both with NTP. If the clock is right, run licet-server confirm-clock.`,
  },
  Disk: {
    title: t`Disk`,
    meaning: t`The disk of the data folder is almost full.`,
    remedy: t`Free space or enlarge the disk. A full disk stops all changes.`,
  },
  Backups: {
    title: t`Backups`,
    meaning: t`The newest base backup is too old, or changes wait too long to be backed up.`,
    remedy: t`Check the object store in LICET_BACKUP_URL and the log of the service.`,
  },
  Certificates: {
    title: t`Certificates`,
    meaning: t`A certificate in DATABASE_URL expires within 30 days, or cannot be read.`,
    remedy: t`Renew it. The service cannot reach its database once it has expired.`,
  },
  Backlogs: {
    title: t`Background work`,
    meaning: t`Background work has been waiting for more than an hour.`,
    remedy: t`Check the log of the service, and that a service or a worker is running.`,
  },
  AuditLog: {
    title: t`Audit log`,
    meaning: t`Entries of the audit log were changed, deleted or moved.`,
    remedy: t`Run licet-server audit verify, and find out who had access to the database.`,
  },
  UnreadableValues: {
    title: t`Unreadable values`,
    meaning: t`Rows contain values that the service would not store. They are shown as far as possible.`,
    remedy: t`Repair stores JSON as it is shown. Correct times, amounts and others by hand.`,
  },
  ImpossibleDates: {
    title: t`Impossible dates`,
    meaning: t`Licenses end before 1970 or after the year 9899.`,
    remedy: t`Open the license and set its expiration date.`,
  },
  DeviceSeats: {
    title: t`Counted device seats`,
    meaning: t`The counted seats of a license differ from the devices that hold one or have lost it.`,
    remedy: t`Repair counts the devices again.`,
  },
  DeviceLimit: {
    title: t`Devices above the limit`,
    meaning: t`A license has more devices with a seat than seats, and none of them is over the limit.`,
    remedy: t`Change the seats of the license: the newest devices above them lose theirs.`,
  },
  SessionSeats: {
    title: t`Sessions above the limit`,
    meaning: t`A license has more live sessions than seats, and was not changed since they connected.`,
    remedy: t`Disconnect sessions of the license, and report this: no rule allows it.`,
  },
  BlockedDevices: {
    title: t`Counted blocked devices`,
    meaning: t`The counted blocked devices of a license differ from those that are blocked.`,
    remedy: t`Repair counts the blocked devices again.`,
  },
  AccessAttempts: {
    title: t`Counted access attempts`,
    meaning: t`The counted access attempts to review of a license differ from those that it has.`,
    remedy: t`Repair counts the access attempts again.`,
  },
  LicenseCounts: {
    title: t`Counted licenses`,
    meaning: t`The counted licenses of a product differ from those that it has.`,
    remedy: t`Repair counts the licenses again.`,
  },
  LicenseTerms: {
    title: t`Terms of licenses`,
    meaning: t`A license lacks what its model needs, or has what its model does not take.`,
    remedy: t`Open the license and set what is wrong.`,
  },
  LicenseKeys: {
    title: t`License keys`,
    meaning: t`A license is not found by the key that is shown.`,
    remedy: t`Repair lets it be found, unless another license has the key. Then replace the key.`,
  },
  LicenseCustomers: {
    title: t`Licenses without their customer`,
    meaning: t`A license is issued to an address, but belongs to no customer.`,
    remedy: t`Repair gives it to the customer with this address, who is created if missing.`,
  },
  OtherProducts: {
    title: t`Rows of another product`,
    meaning: t`What belongs to a license names another product than the license.`,
    remedy: t`Repair corrects devices, sessions, access attempts, former keys and wallets. Set the release, policy and entitlement set on the license.`,
  },
  Wallets: {
    title: t`Wallets`,
    meaning: t`A wallet is missing, is not what its ledger says, or holds credits for no reservation.`,
    remedy: t`Repair rebuilds missing wallets. For others, compare the ledger with what was sold.`,
  },
  OrphanedWallets: {
    title: t`Orphaned wallets`,
    meaning: t`A wallet is open, but its license no longer exists.`,
    remedy: t`Repair closes the wallet. Its ledger stays.`,
  },
  MissingLicenses: {
    title: t`Orders without their license`,
    meaning: t`A fulfilled order names a license that no longer exists.`,
    remedy: t`If the license was deleted by mistake, issue it again to the buyer of the order.`,
  },
  SigningKeys: {
    title: t`Signing keys`,
    meaning: t`A product has licenses, but no key that signs license files.`,
    remedy: t`Generate a key pair on the product's page.`,
  },
  Secrets: {
    title: t`Secrets`,
    meaning: t`A stored secret was altered, or was sealed under a master key that the service lacks.`,
    remedy: t`Put back the master key, or replace the secret. A session with it must sign in again.`,
  },
  Owners: {
    title: t`Institutions without an Owner`,
    meaning: t`No member of an institution is its Owner.`,
    remedy: t`As a system Admin, give one of its members the role Owner.`,
  },
  FailingWebhooks: {
    title: t`Failing webhooks`,
    meaning: t`No delivery to a webhook has succeeded for a week.`,
    remedy: t`Correct its URL or its receiver, or delete it.`,
  },
};
