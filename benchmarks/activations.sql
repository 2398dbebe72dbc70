-- $1, activated a month ago on each license, or on each of the type $2, with a seat, and last seen now.
INSERT INTO activations
    (institution_id, id, license_id, product_id, hardware_id, device_name, os, app_version,
     holds_seat, bound, created_at, activated_at, last_seen_at)
SELECT institution_id, id, id, product_id, $1, 'Studio 7', 'Linux 6.1', '3.1.0',
    true, false, :now - interval '30 days', :now - interval '30 days', :now
FROM licenses
WHERE $2::text IS NULL OR type = $2
