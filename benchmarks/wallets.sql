-- Every metered license has a wallet, and its grant is rolled up.
INSERT INTO meter_wallets (institution_id, license_id, product_id, mode, balance, version)
SELECT institution_id, id, product_id, replace(type, 'Metered', ''), initial_meter_balance, 1
FROM licenses WHERE type LIKE 'Metered%' ORDER BY id;

INSERT INTO meter_entries
    (institution_id, license_id, id, sequence, created_at, type, amount, balance_after)
SELECT institution_id, license_id, license_id, 1, :now, 'InitialGrant', balance, balance
FROM meter_wallets ORDER BY license_id;

INSERT INTO meter_counts (institution_id, license_id, counted)
SELECT institution_id, license_id, 1 FROM meter_wallets ORDER BY license_id;

INSERT INTO meter_license_days
    (institution_id, day, license_id, product_id, mode, consumed, granted, adjusted)
SELECT institution_id, (:now AT TIME ZONE 'UTC')::date, license_id, product_id, mode, 0, balance, 0
FROM meter_wallets ORDER BY license_id
