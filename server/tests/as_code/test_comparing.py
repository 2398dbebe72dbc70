"""What differs between a file and a service, and in which order it is made the same."""

from pathlib import Path

import pytest
from as_code.declarations import FILE, declaration, plan, service_as, told, without

from licet_server.as_code.plans import show_plan
from licet_server.as_code.rules.comparing import compare
from licet_server.as_code.rules.model import INSTITUTION, Key, Kind
from licet_server.as_code.rules.requests import request_for

EMPTY = "products: []\nwebhooks: []\n"
ONE_SET = """
products:
  - name: Aurora
    features: [{name: size, kind: Number}]
    entitlementSets: [{name: Pro, entries: {size: 5}}]
"""


def test_a_service_as_declared_has_no_difference(tmp_path: Path) -> None:
    found = plan(tmp_path, FILE)
    assert (found.steps, found.problems, found.unnamed) == ([], [], [])


def test_everything_is_created_in_the_order_of_its_references(tmp_path: Path) -> None:
    found = plan(tmp_path, FILE, before=EMPTY)
    assert told(found) == [
        'create product "Aurora"',
        'create feature "export" of "Aurora"',
        'create feature "max-projects" of "Aurora"',
        'create feature "tier" of "Aurora"',
        'create entitlement set "Pro" of "Aurora"',
        'create policy "Team, yearly" of "Aurora"',
        'create mail template "Issued" of "Aurora"',
        'create mail template "Expiring"',
        'create webhook "https://hooks.example.com/..."',
    ]


def test_an_object_comes_after_what_it_names_wherever_that_stands(tmp_path: Path) -> None:
    text = """
    products:
      - name: Aurora
        policies: [{name: Basic, type: Perpetual, entitlementSet: PRO}]
        entitlementSets: [{name: Pro, entries: {EXPORT: true}}]
        features: [{name: export}]
    """
    names = [line.split('"')[1] for line in told(plan(tmp_path, text, before=EMPTY))]
    assert names == ["Aurora", "export", "Pro", "Basic"]


def test_a_change_names_only_what_differs(tmp_path: Path) -> None:
    changed = FILE.replace("durationDays: 365", "durationDays: 730")
    [step] = plan(tmp_path, changed).steps
    assert step.label == 'policy "Team, yearly" of "Aurora"'
    assert (step.before, step.after) == ({"durationDays": 365}, {"durationDays": 730})
    assert step.path == "products[0].policies[0]"


def test_a_setting_is_sent_without_the_others(tmp_path: Path) -> None:
    changed = FILE.replace("heartbeatIntervalSeconds: 20", "heartbeatIntervalSeconds: 40")
    [step] = plan(tmp_path, changed).steps
    request = request_for(step, {})
    assert (request.method, request.path) == ("PUT", "/api/products/id of product aurora")
    assert request.body == {"settings": {"heartbeatIntervalSeconds": 40}}


def test_the_kinds_of_hardware_ids_have_no_order(tmp_path: Path) -> None:
    at = "heartbeatIntervalSeconds: 20"
    before = FILE.replace(at, f"{at}\n      hardwareIdKinds: [m, s]")
    same = FILE.replace(at, f"{at}\n      hardwareIdKinds: [s, m, s]")
    assert not plan(tmp_path, same, before=before).steps
    [step] = plan(
        tmp_path, FILE.replace(at, f"{at}\n      hardwareIdKinds: [s]"), before=before
    ).steps
    assert request_for(step, {}).body == {"settings": {"hardwareIdKinds": ["s"]}}


def test_a_field_that_the_file_leaves_out_stays(tmp_path: Path) -> None:
    assert not plan(tmp_path, without(FILE, "description", "durationDays")).steps


def test_null_clears(tmp_path: Path) -> None:
    changed = FILE.replace("durationDays: 365", "durationDays: null")
    [step] = plan(tmp_path, changed).steps
    assert step.after == {"durationDays": None}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("entitlementSet: Pro", "entitlementSet: pRO"),
        ("[license.*, activation.created]", "[activation.created, license.*]"),
        ("export: true\n          max-projects: 25", "MAX-projects: 25.0\n          EXPORT: true"),
        ("body: |\n              Your", "body: |-\n              Your"),
        ("subject: Your license for {product}", "subject: ' Your license for {product} '"),
        ('"2.1.0"', '"9.9.9"'),  # the first release of a product that is there
    ],
)
def test_irrelevant_differences_are_ignored(tmp_path: Path, old: str, new: str) -> None:
    assert old in FILE
    assert not plan(tmp_path, FILE.replace(old, new)).steps


def test_another_spelling_is_a_change_of_the_name(tmp_path: Path) -> None:
    [step] = plan(tmp_path, FILE.replace("- name: Aurora", "- name: AURORA")).steps
    assert step.after == {"name": "AURORA"}


def test_objects_missing_in_the_file_stay(tmp_path: Path) -> None:
    found = plan(tmp_path, EMPTY)
    assert not found.steps
    assert found.unnamed == ['product "Aurora"', 'webhook "https://hooks.example.com/..."']


def test_prune_deletes_what_a_list_lacks_and_those_that_name_it_first(tmp_path: Path) -> None:
    text = """
    products:
      - {name: Aurora, features: [{name: export}], entitlementSets: [], policies: []}
    """
    found = plan(tmp_path, text, prune=True)
    assert not found.problems
    names = [line.split('"')[1] for line in told(found)]
    assert names == ["Team, yearly", "Pro", "max-projects", "tier"]


def test_prune_leaves_lists_that_the_file_does_not_have(tmp_path: Path) -> None:
    assert not plan(tmp_path, "products: [{name: Aurora}]", prune=True).steps


def test_a_product_goes_in_one_step(tmp_path: Path) -> None:
    assert told(plan(tmp_path, "products: []", prune=True)) == ['delete product "Aurora"']


def test_a_product_with_licenses_stays(tmp_path: Path) -> None:
    found = plan(tmp_path, "products: []", prune=True, licenses={"aurora": 2})
    [problem] = found.problems
    assert problem.message == 'The product "Aurora" cannot be deleted: it has 2 licenses.'


def test_object_with_references_is_not_deleted(tmp_path: Path) -> None:
    text = "products: [{name: Aurora, features: []}]"
    found = plan(tmp_path, text, before=ONE_SET, prune=True)
    [problem] = found.problems
    assert 'the entitlement set "Pro" of "Aurora" names it' in problem.message


def test_a_feature_leaves_its_sets_before_its_kind_changes(tmp_path: Path) -> None:
    text = """
    products:
      - name: Aurora
        features: [{name: size, kind: Text}]
        entitlementSets: [{name: Pro, entries: {}}, {name: Max, entries: {size: big}}]
    """
    found = plan(tmp_path, text, before=ONE_SET)
    assert not found.problems
    assert [line.split('"')[1] for line in told(found)] == ["Pro", "size", "Max"]


def test_the_kind_of_a_feature_in_a_set_is_fixed(tmp_path: Path) -> None:
    text = ONE_SET.replace("Number", "Text").replace("size: 5", "size: big")
    [problem] = plan(tmp_path, text, before=ONE_SET).problems
    assert problem.path == "products[0].features[0].kind"
    assert '"Pro"' in problem.message


GERMAN = "products[0].mailTemplates[0].translations.de"


@pytest.mark.parametrize(
    ("old", "new", "path", "message"),
    [
        (
            "max-projects: 25",
            "max-project: 25",
            "products[0].entitlementSets[0].entries.max-project",
            'Did you mean "max-projects"?',
        ),
        (
            "max-projects: 25",
            "max-projects: many",
            "products[0].entitlementSets[0].entries.max-projects",
            "must be a number",
        ),
        (
            "export: true",
            "export: 1",
            "products[0].entitlementSets[0].entries.export",
            "must be true",
        ),
        (
            "tier: gold",
            "tier: 5",
            "products[0].entitlementSets[0].entries.tier",
            "must be a text",
        ),
        (
            "entitlementSet: Pro",
            "entitlementSet: Prö",
            "products[0].policies[0].entitlementSet",
            "is no entitlement set of this product.",
        ),
        (
            "- name: max-projects",
            "- name: Export",
            "products[0].features[1].name",
            "is the name of another feature of this file.",
        ),
        (
            "`{licenseKey}`.\n          en:",
            "`{licenceKey}`.\n          en:",
            f"{GERMAN}.body",
            'has the placeholder {licenceKey}, which does not exist. Did you mean "licenseKey"?',
        ),
        ("Lizenz für {product}", "Lizenz für {x}", f"{GERMAN}.subject", "the placeholder {x},"),
        ("de:\n", "DE:\n", GERMAN.replace("de", "DE"), 'must be written "de".'),
        ("de:\n", "a b:\n", GERMAN.replace("de", "a b"), "must be a language tag"),
        (
            "defaultLocale: de",
            "defaultLocale: fr",
            "products[0].mailTemplates[0].defaultLocale",
            "must be the language of one of the translations.",
        ),
        (
            "  - kind: Expiring",
            "  - kind: Expiring\n  - kind: Expiring",
            "mailTemplates[1].kind",
            "is the kind of another mail template of this file.",
        ),
    ],
)
def test_problems_are_found_before_anything_changes(
    tmp_path: Path, old: str, new: str, path: str, message: str
) -> None:
    assert old in FILE
    problems = plan(tmp_path, FILE.replace(old, new), before=EMPTY).problems
    assert [message in item.message for item in problems if item.path == path] == [True]


def test_the_mode_of_a_product_is_fixed(tmp_path: Path) -> None:
    as_test = FILE.replace("    description:", "    mode: Test\n    description:", 1)
    as_live = as_test.replace("mode: Test", "mode: Live")
    [problem] = plan(tmp_path, as_test, before=as_live).problems
    assert (problem.path, problem.message[:13]) == ("products[0].mode", "cannot change")
    assert not plan(tmp_path, as_test, before=EMPTY).problems


def test_braces_around_anything_but_a_name_are_text(tmp_path: Path) -> None:
    text = FILE.replace("`{licenseKey}`.", '{"a": 1} {} { product }')
    assert not plan(tmp_path, text, before=EMPTY).problems


def test_a_default_language_may_be_one_that_the_service_has(tmp_path: Path) -> None:
    text = """
    products:
      - {name: Aurora, mailTemplates: [{kind: Issued, defaultLocale: en}]}
    """
    found = plan(tmp_path, text)
    assert (told(found), found.problems) == (['change mail template "Issued" of "Aurora"'], [])


def test_a_changed_translation_is_sent_without_the_others(tmp_path: Path) -> None:
    [step] = plan(tmp_path, FILE.replace("Your license", "Your new license")).steps
    request = request_for(step, {Key(Kind.PRODUCT, "aurora"): "p"})
    assert (request.method, request.path) == ("PUT", "/api/products/p/mail-templates/issued")
    words = {"subject": "Your new license for {product}", "body": "Your key is `{licenseKey}`.\n"}
    assert request.body == {"translations": {"en": words}}


def test_a_translation_that_the_file_lacks_is_removed(tmp_path: Path) -> None:
    start, end = FILE.index("          en:\n"), FILE.index("mailTemplates:\n  - kind: Expiring")
    [step] = plan(tmp_path, FILE[:start] + FILE[end:]).steps
    request = request_for(step, {Key(Kind.PRODUCT, "aurora"): "p"})
    assert request.body == {"translations": {"en": None}}


def test_a_template_of_the_institution(tmp_path: Path) -> None:
    [step] = plan(tmp_path, FILE.replace("Northwind", "Southwind")).steps
    request = request_for(step, {INSTITUTION: "i"})
    assert (request.method, request.path) == ("PUT", "/api/institutions/i/mail-templates/expiring")
    assert request.body == {"senderName": "Southwind"}


def test_templates_that_a_list_lacks_are_pruned(tmp_path: Path) -> None:
    text = "products: [{name: Aurora, mailTemplates: []}]\nmailTemplates: []\n"
    assert plan(tmp_path, text).unnamed == [
        'mail template "Issued" of "Aurora"',
        'mail template "Expiring"',
    ]
    steps = plan(tmp_path, text, prune=True).steps
    ids = {Key(Kind.PRODUCT, "aurora"): "p", INSTITUTION: "i"}
    requests = [request_for(step, ids) for step in steps]
    assert [(item.method, item.path, item.body) for item in requests] == [
        ("DELETE", "/api/products/p/mail-templates/issued", None),
        ("DELETE", "/api/institutions/i/mail-templates/expiring", None),
    ]
    assert not plan(tmp_path, "products: [{name: Aurora}]", prune=True).steps


def test_a_changed_body_is_shown_by_its_lines(tmp_path: Path) -> None:
    text = FILE.replace("Guten Tag {customer},", "Liebe Kundin,\n              lieber Kunde,")
    assert list(show_plan(plan(tmp_path, text)))[:-1] == [
        '~ mail template "Issued" of "Aurora"',
        "    translations.de.body:",
        "      - Guten Tag {customer},",
        "      + Liebe Kundin,",
        "      + lieber Kunde,",
    ]


def test_webhooks_with_the_same_url_are_distinguished_by_their_order(tmp_path: Path) -> None:
    hook = "  - {url: 'https://a.example.com', eventTypes: [%s]}\n"
    before = "webhooks:\n" + hook % "license.*" + hook % "session.*"
    after = "webhooks:\n" + hook % "license.*" + hook % "meter.*"
    [step] = plan(tmp_path, after, before=before).steps
    assert step.label == 'webhook "https://a.example.com" (number 2)'
    assert step.before == {"eventTypes": ["session.*"]}


def test_applying_twice_changes_nothing(tmp_path: Path) -> None:
    declared = declaration(tmp_path)
    assert not compare(declared, service_as(declared), prune=True).steps
