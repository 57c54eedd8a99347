"""Rules for user names and passwords."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.errors import BadInput
from ludus.site.database.people_schema import accounts
from ludus.site.safety.names import check_name, check_password, folded, skeleton


@pytest.mark.parametrize("name", ["Ann", "bo-2", "Zoë", "李小龙", "a_b", "x" * 20, "Robot", "Guestbook"])
def test_these_names_are_accepted(name):
    assert check_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "", "ab", "x" * 21, "1st", "-ann", "_ann", "an n", "ann\n", "ann;", "ann'--", '"; DROP TABLE accounts',
        "a/b", "<b>ann",
        "ann\u202e", "an\u200bn", "guest", "Guest4711", "GUEST-1", "admin", "Bot_7", "deleted",
        "\ufeffann", "ann\x00", "\uff41\uff44\uff4d\uff49\uff4e", "\u0430dmin", "g\u03c5\u0435\u0455t",
        "\ufdfa\ufdfa\ufdfa", "ann\ufdfa",
    ],
)  # fmt: skip
def test_these_names_are_refused(name):
    with pytest.raises(BadInput, match=r"\.$"):
        check_name(name)


@given(st.text(st.characters(categories=["L"]), min_size=3, max_size=20))
def test_an_accepted_name_fits_into_the_columns_of_the_database(name):
    with suppress(BadInput):
        check_name(name)
        assert len(folded(name)) <= accounts.c.folded.type.length
        assert len(skeleton(name)) <= accounts.c.skeleton.type.length


@pytest.mark.parametrize("other", ["ann", "ANN", "\uff21nn", "aNn"])
def test_names_that_differ_in_case_or_width_are_the_same(other):
    assert folded(other) == folded("Ann")


ALIKE = [
    ("admin", "\u0430dmin"), ("Ivan", "\u0406van"), ("Coco", "\u0421\u043e\u0441\u043e"),
    ("ANNA", "\u0391\u039d\u039d\u0391"), ("pig", "\u0440\u0456\u0581"), ("Zo\u00eb", "Z\u03bf\u0451"),
    ("Jin", "J\u0131n"),
]  # fmt: skip
UNALIKE = [
    ("Anna", "\u0410\u043d\u043d\u0430"), ("Ian", "Lan"), ("Ann1", "Annl"), ("Zo\u00eb", "Zoe"),
    ("Yuri", "\u042e\u0440\u0438\u0439"),
    ("\u041c\u0430\u0448\u0430", "\u041c\u0438\u0448\u0430"), ("\u674e\u5c0f\u9f99", "\u674e\u5c0f"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "other"), ALIKE)
def test_names_that_look_alike_in_other_scripts_have_one_skeleton(name, other):
    assert folded(name) != folded(other)
    assert skeleton(name) == skeleton(other)


@pytest.mark.parametrize(("name", "other"), UNALIKE)
def test_names_that_look_different_have_different_skeletons(name, other):
    assert skeleton(name) != skeleton(other)


@given(st.text(st.characters(codec="ascii")))
def test_the_skeleton_of_an_english_name_is_the_name_without_case(name):
    assert skeleton(name) == name.casefold()


@settings(deadline=None)
@given(st.text(max_size=30))
def test_an_accepted_name_is_harmless(name):
    with suppress(BadInput):
        taken = check_name(name)
        assert not set(taken) & set(" <>'\";:/\\&%\n\t\x00")
        assert len(folded(taken)) <= 80
        assert len(skeleton(taken)) <= 400


@pytest.mark.parametrize("password", ["", "short", "x" * 129, "aaaaaaaa", "AnnAnnAnn", "abababab"])
def test_weak_passwords_are_refused(password):
    with pytest.raises(BadInput, match=r"\.$"):
        check_password(password, "annannann")


@pytest.mark.parametrize("password", ["correct horse", "пароль-пароль", "' OR 1=1; --", "x1y2z3w4" * 16])
def test_these_passwords_are_accepted(password):
    check_password(password, "Ann")
