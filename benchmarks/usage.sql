-- Each wallet was used on every day of the year before last week, which is rolled up, and at the same
-- rate in the last week, which is not.
CREATE TEMPORARY TABLE used AS
SELECT w.institution_id, w.license_id, w.product_id, w.mode, n,
    :now - interval '7 days' * (1 - n / :each::double precision) - interval '1 minute' * random()
        AS created_at
FROM meter_wallets AS w, generate_series(1, :each) AS n;

INSERT INTO meter_entries
    (institution_id, license_id, id, sequence, created_at, quantity, type, amount, balance_after,
     feature_name, idempotency_key)
SELECT u.institution_id, u.license_id, uuidv7(), 1 + n, u.created_at, 1, 'Consume', -1,
    w.balance - n, 'Feature ' || n % 5, md5(u.license_id::text || n)
FROM used AS u JOIN meter_wallets AS w USING (institution_id, license_id)
ORDER BY u.n, u.license_id;

UPDATE meter_wallets SET version = 1 + :each, balance = balance - :each;

INSERT INTO meter_license_days
    (institution_id, day, license_id, product_id, mode, consumed, granted, adjusted)
SELECT institution_id, (:now AT TIME ZONE 'UTC')::date - day, license_id, product_id, mode,
    day, 0, 0
FROM meter_wallets, generate_series(8, 7 + :days) AS day ORDER BY day DESC, license_id;

INSERT INTO meter_feature_days
    (institution_id, day, product_id, mode, feature_name, consumed)
SELECT institution_id, day, product_id, mode, 'Feature ' || feature, sum(consumed) / 5
FROM meter_license_days, generate_series(0, 4) AS feature
WHERE consumed > 0 GROUP BY institution_id, day, product_id, mode, feature;

INSERT INTO meter_license_months
    (institution_id, month, license_id, product_id, mode, consumed)
SELECT institution_id, date_trunc('month', day)::date, license_id, product_id, mode, sum(consumed)
FROM meter_license_days GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3;

INSERT INTO meter_product_days
    (institution_id, day, product_id, mode, consumed, granted, adjusted)
SELECT institution_id, day, product_id, mode, sum(consumed), sum(granted), sum(adjusted)
FROM meter_license_days GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4;

DROP TABLE used
