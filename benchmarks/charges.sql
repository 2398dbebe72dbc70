-- The charge number $1 of each wallet, whose version and balance are updated after the last one.
INSERT INTO meter_entries
    (institution_id, license_id, id, sequence, created_at, quantity, type, amount, balance_after,
     feature_name, idempotency_key)
SELECT institution_id, license_id, uuidv7(), version + $1,
    :now - interval '7 days' * (1 - $1 / :each::double precision), 1, 'Consume', -1,
    balance - $1, 'Feature ' || $1 % 5, substr(md5(license_id::text || $1), 1, 16)
FROM meter_wallets ORDER BY license_id
