"""Figures of features: which licenses have them."""

from licet_server.catalog.reading import find_features_named, product_names
from licet_server.catalog.rules.model import Feature, FeatureKind
from licet_server.licenses.rules.holdings import FeatureHolding
from licet_server.licenses.service import statistics as licenses
from licet_server.statistics.schemas.features import (
    FeatureHolders,
    FeatureStatistics,
    FeatureValueCount,
    ProductUnrestricted,
)
from licet_server.statistics.service.scope import Scope

FEATURES = 500
VALUES = 20


async def feature_statistics(scope: Scope) -> FeatureStatistics:
    """Count the active licenses that have each feature, and with which values.

    At most 500 features, those that most licenses have, each with its 20 most common values.
    """
    db, visibility, now = scope.db, scope.visibility, scope.now
    holdings = await licenses.count_holdings(db, visibility, now, features=FEATURES, values=VALUES)
    unrestricted = await licenses.count_unrestricted(db, visibility, now)
    names = await product_names(db, list({*unrestricted, *(item.product for item in holdings)}))
    known = await find_features_named(db, [(*item.product, item.feature_name) for item in holdings])
    return FeatureStatistics(
        by_feature=[
            _holders(item, names[item.product[1]], feature)
            for item in holdings
            if (feature := known.get((*item.product, item.feature_name))) is not None
        ],
        unrestricted=[
            ProductUnrestricted(product_id, names[product_id], count)
            for (_, product_id), count in sorted(unrestricted.items(), key=lambda item: -item[1])
        ],
    )


def _holders(item: FeatureHolding, product_name: str, feature: Feature) -> FeatureHolders:
    shown = item.values if feature.kind is not FeatureKind.FLAG else ()
    others = item.licenses - sum(value.licenses for value in item.values)
    return FeatureHolders(
        product_id=item.product[1],
        product_name=product_name,
        feature_name=item.feature_name,
        kind=feature.kind,
        licenses=item.licenses,
        values=[FeatureValueCount(value.value, value.licenses) for value in shown],
        other_values=others,
    )
