-- One charge of a Usage-Based license as a single statement: the most that the database alone can do.
WITH moved AS (
    UPDATE meter_wallets SET balance = balance - 1, version = version + 1
    WHERE institution_id = :institution AND license_id = :license
        AND closed_at IS NULL AND balance >= 1
    RETURNING institution_id, license_id, version, balance
)
INSERT INTO meter_entries
    (institution_id, license_id, id, sequence, created_at, quantity, type, amount, balance_after,
     feature_name, idempotency_key)
SELECT institution_id, license_id, uuidv7(), version, clock_timestamp(), 1, 'Consume', -1, balance,
    'Export', md5(random()::text)
FROM moved;
