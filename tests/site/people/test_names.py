"""Which names and passwords the site takes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.errors import BadInput
from ludus.site.people.names import check_name, check_password, folded


@pytest.mark.parametrize("name", ["Ann", "bo-2", "Zoë", "李小龙", "a_b", "x" * 20, "Robot", "Guestbook"])
def test_these_names_are_taken(name):
    assert check_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "", "ab", "x" * 21, "1st", "-ann", "_ann", "an n", "ann\n", "ann;", "ann'--", '"; DROP TABLE accounts',
        "a/b", "<b>ann",
        "ann\u202e", "an\u200bn", "guest", "Guest4711", "GUEST-1", "admin", "Bot_7", "deleted",
        "\ufeffann", "ann\x00", "\uff41\uff44\uff4d\uff49\uff4e",
    ],
)  # fmt: skip
def test_these_names_are_refused_in_a_sentence(name):
    with pytest.raises(BadInput, match=r"\.$"):
        check_name(name)


@pytest.mark.parametrize("other", ["ann", "ANN", "\uff21nn", "aNn"])
def test_names_that_differ_in_case_or_width_are_the_same(other):
    assert folded(other) == folded("Ann")


@settings(deadline=None)
@given(st.text(max_size=30))
def test_a_name_that_is_taken_is_harmless(name):
    try:
        taken = check_name(name)
    except BadInput:
        return
    assert not set(taken) & set(" <>'\";:/\\&%\n\t\x00")
    assert len(folded(taken)) <= 80


@pytest.mark.parametrize("password", ["", "short", "x" * 129, "aaaaaaaa", "AnnAnnAnn", "abababab"])
def test_weak_passwords_are_refused_in_a_sentence(password):
    with pytest.raises(BadInput, match=r"\.$"):
        check_password(password, "annannann")


@pytest.mark.parametrize("password", ["correct horse", "пароль-пароль", "' OR 1=1; --", "x1y2z3w4" * 16])
def test_these_passwords_do(password):
    check_password(password, "Ann")
