"""What fits a schema is encoded more weakly than what breaks with all of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mnemic.cognition.mechanisms.schema import Fit, Schemas, centroid_of, encoded
from mnemic.model.mind import Personality

Floats = NDArray[np.float32]
RULES = Schemas()


def unit(*values: float) -> Floats:
    vector = np.array(values, np.float64)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def rows(*vectors: Floats) -> Floats:
    return np.stack(vectors)


RESTAURANTS = centroid_of([unit(1, 0.1, 0), unit(1, -0.1, 0.1), unit(1, 0, -0.1)])
OFFICES = unit(0, 1, 0)


def test_the_usual_dinner_leaves_less_of_a_mark_than_the_fire() -> None:
    """Bartlett 1932, Ghosh & Gilboa 2014: the usual case is carried by its schema."""
    assert RESTAURANTS is not None
    schemas = rows(RESTAURANTS, OFFICES)
    dinner = encoded(unit(1, 0.2, 0.1), schemas, 0.5, RULES)
    fire = encoded(unit(0.3, 0.3, 1), schemas, 0.5, RULES)
    assert (dinner.fit, fire.fit) == (Fit.CONGRUENT, Fit.VIOLATING)
    assert dinner.strength == pytest.approx(0.425)
    assert fire.strength == pytest.approx(0.65)
    assert dinner.nearest == 0
    assert encoded(unit(0.1, 1, 0), schemas, 0.5, RULES).nearest == 1


@pytest.mark.parametrize(("cosine", "fit"), [(0.76, Fit.CONGRUENT), (0.74, Fit.VIOLATING)])
def test_the_threshold_is_three_quarters(cosine: float, fit: Fit) -> None:
    vector = unit(cosine, (1 - cosine**2) ** 0.5, 0)
    found = encoded(vector, rows(unit(1, 0, 0)), 0.5, RULES)
    assert found.fit is fit
    assert found.similarity == pytest.approx(cosine, abs=1e-6)


def test_what_lies_on_the_threshold_fits() -> None:
    exact = Schemas(similarity_threshold=1.0)
    assert encoded(unit(1, 0), rows(unit(1, 0)), 0.5, exact).fit is Fit.CONGRUENT


def test_without_schemas_nothing_changes() -> None:
    found = encoded(unit(1, 0, 0), np.zeros((0, 3), np.float32), 0.5, RULES)
    assert (found.strength, found.fit, found.nearest, found.similarity) == (0.5, None, None, None)


def test_strength_stops_at_one() -> None:
    assert encoded(unit(0, 1), rows(unit(1, 0)), 0.9, RULES).strength == 1


def test_openness_scales_the_boost() -> None:
    assert RULES.shaped(Personality()) == RULES
    assert RULES.shaped(Personality(openness=0)).violating == pytest.approx(1.04)
    assert RULES.shaped(Personality(openness=1)).violating == pytest.approx(1.56)


def test_a_centroid_is_the_direction_of_the_mean() -> None:
    vectors = [unit(1, 2, 3), unit(-1, 0.5, 2), unit(0.2, 0.1, 0)]
    mean = np.mean(vectors, axis=0)
    found = centroid_of(iter(vectors))
    assert found is not None
    assert found == pytest.approx(mean / np.linalg.norm(mean), abs=1e-6)
    assert found.dtype == np.float32


def test_a_small_direction_is_not_lost_in_a_sum() -> None:
    found = centroid_of([unit(0.8, 0.6), unit(1, 1e-8), unit(-0.8, -0.6)])
    assert found is not None
    assert found[1] == pytest.approx(1e-8, rel=0.01)


def test_no_vectors_and_opposite_vectors_have_no_centroid() -> None:
    assert centroid_of([]) is None
    assert centroid_of([unit(1, 0), unit(-1, 0)]) is None
    assert centroid_of([unit(1, 0), unit(-1, 0), unit(0, 1)]) is not None


def test_the_vectors_given_are_left_as_they_are() -> None:
    first, second = unit(1, 0), unit(0, 1)
    centroid_of([first, second])
    assert first.tolist() == [1, 0]


vectors = st.lists(st.floats(-1, 1), min_size=4, max_size=4).filter(
    lambda values: sum(value * value for value in values) > 0.01
)


@settings(max_examples=200)
@given(vectors, st.lists(vectors, max_size=5), st.floats(0, 1))
def test_strength_stays_between_its_bounds(
    vector: list[float], centroids: list[list[float]], strength: float
) -> None:
    schemas = np.array([unit(*one) for one in centroids], np.float32).reshape(-1, 4)
    found = encoded(unit(*vector), schemas, strength, RULES)
    assert 0 <= found.strength <= 1
    match found.fit:
        case Fit.CONGRUENT:
            assert found.strength == strength * 0.85
        case Fit.VIOLATING:
            assert found.strength == min(1, strength * 1.3)
        case _:
            assert found.strength == strength
            assert centroids == []
