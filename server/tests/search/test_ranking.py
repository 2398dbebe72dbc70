"""Which hits come first."""

from uuid import UUID

from licet_server.search.rules import GROUP_MAX, HitKind, Match, SearchHit, match_of, ranked


def hit(number: int, kind: HitKind = HitKind.LICENSE, match: Match = Match.WORD) -> SearchHit:
    return SearchHit(
        kind=kind,
        id=UUID(int=number),
        institution_id=UUID(int=0),
        title=str(number),
        detail=None,
        match=match,
        status=None,
        product_id=None,
        product_name=None,
        license_id=None,
        license_name=None,
        former_key=False,
    )


def test_exact_match_ranks_above_a_prefix() -> None:
    names = ("Acme Production", "ada@acme.example", None)
    assert match_of(["acme production"], names) is Match.EXACT
    assert match_of(["ACME"], names) is Match.START
    assert match_of(["production"], names) is Match.WORD
    assert match_of(["nothing", "ada@acme.example"], names) is Match.EXACT


def test_best_hits_come_first_then_the_newest() -> None:
    hits = [hit(1), hit(2, match=Match.EXACT), hit(3), hit(4, match=Match.START)]
    [group] = ranked(hits).groups
    assert [item.id.int for item in group.items] == [2, 4, 3, 1]
    assert not group.has_more


def test_groups_are_ordered_by_best_hit_then_by_kind() -> None:
    hits = [
        hit(1, HitKind.RELEASE, Match.START),
        hit(2, HitKind.PRODUCT, Match.EXACT),
        hit(3, HitKind.CUSTOMER, Match.START),
        hit(4),
    ]
    kinds = [group.kind for group in ranked(hits).groups]
    assert kinds == [HitKind.PRODUCT, HitKind.CUSTOMER, HitKind.RELEASE, HitKind.LICENSE]


def test_a_group_says_that_there_are_more() -> None:
    [group] = ranked(hit(number) for number in range(GROUP_MAX + 1)).groups
    assert len(group.items) == GROUP_MAX
    assert group.has_more
