"""Secrets are found by their shape, their check digits or their name; what looks like one is not.

The tokens are made here, so that no scanner takes this file for a leak.
"""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.cognition.screen import Concern, screen

RANDOM = random.Random(20261130)
MIXED = string.ascii_letters + string.digits


def drawn(length: int, letters: str = MIXED) -> str:
    """Random letters, with a figure, a capital and a small letter among them."""
    return "7Qz" + "".join(RANDOM.choice(letters) for _ in range(length - 3))


def secret_signs(text: str) -> set[str]:
    return {finding.sign for finding in screen(text) if finding.concern is Concern.SECRET}


# --- tokens ----------------------------------------------------------------------------------

AWS = "".join(RANDOM.choice(string.ascii_uppercase + "234567") for _ in range(16))
TOKENS = {
    "aws-key": "AK" + "IA" + AWS,
    "github-token": "gh" + "p_" + drawn(36),
    "gitlab-token": "glp" + "at-" + drawn(20),
    "anthropic-key": "sk-" + "ant-api03-" + drawn(40),
    "openai-key": "sk-" + "proj-" + drawn(48),
    "slack-token": "xo" + "xb-" + "123456789012-" + drawn(24),
    "google-key": "AI" + "za" + drawn(35),
    "stripe-key": "sk_" + "live_" + drawn(24),
    "sendgrid-key": "S" + "G." + drawn(22) + "." + drawn(43),
    "package-token": "np" + "m_" + drawn(36),
    "telegram-token": "1234567890" + ":AA" + drawn(33),
    "jwt": "ey" + f"J{drawn(20)}.ey" + f"J{drawn(40)}.{drawn(43)}",
}


@pytest.mark.parametrize("sign", TOKENS)
@pytest.mark.parametrize("around", ["{}", "use {} for it", "KEY={}", "({})", '"{}",', "a: {}\n"])
def test_a_token_is_known_by_its_shape(sign: str, around: str) -> None:
    assert sign in secret_signs(around.format(TOKENS[sign]))


@pytest.mark.parametrize("sign", TOKENS)
def test_a_token_with_invisible_marks_in_it_is_known(sign: str) -> None:
    token = TOKENS[sign]
    assert sign in secret_signs(f"{token[:3]}\u200b{token[3:9]}\u2060{token[9:]}")


@pytest.mark.parametrize("sign", TOKENS)
def test_half_a_token_is_none(sign: str) -> None:
    assert sign not in secret_signs(TOKENS[sign][: len(TOKENS[sign]) // 3])


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
def test_a_private_key_is_found_and_a_public_one_is_not(kind: str) -> None:
    assert secret_signs(f"-----BEGIN {kind}PRIVATE KEY-----\nMIIE") == {"private-key"}
    assert secret_signs(f"-----BEGIN {kind}PUBLIC KEY-----\nMIIE") == set()


@pytest.mark.parametrize("scheme", ["postgres", "mysql+pymysql", "mongodb+srv", "https", "amqp"])
def test_a_password_in_an_address(scheme: str) -> None:
    assert secret_signs(f"see {scheme}://app:kX92mmPq@db.example/x") == {"connection-password"}
    for harmless in (
        "app:password",
        "app:${PASS}",
        "app:<password>",
        "app:****",
        "postgres:postgres",
    ):
        assert secret_signs(f"see {scheme}://{harmless}@db.example/x") == set()


# --- names -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "my password is hunter2",
        "The wifi password is Sunflower99!",
        "The password for the bank account of my mother is Katze2024.",
        "password: tulip44",
        "Passphrase = 9fK2mQ7xLw",
        "DB_PASSWORD=9fK2mQ7xLw",
        '{"password": "kJ8#mW2!vQ"}',
        "My password was 'Hunter2'.",
        "Mein Passwort ist Sommer2023",
        "La contraseña del wifi es gato1234",
        "mot de passe : Soleil77",
        "A minha senha é gato2020",
        "La password di casa è Gatto2021",
        "Пароль от почты: qwe12asd",
        "密码是abc12345",
        "パスワードはneko1234です",
        "비밀번호는 hana1234 입니다",
        "كلمة المرور هي ab12cd34",
    ],
)
def test_a_password_is_known_by_its_name(text: str) -> None:
    assert secret_signs(text) == {"password"}


@pytest.mark.parametrize(
    "text",
    [
        "my password is too short",
        "My password is 8 letters long.",
        "password = os.environ['DB_PASSWORD_1']",
        "password = get_password1()",
        "password: string1[]",
        "PASSWORD=your_password1",
        "password='password123'",
        "password: ********",
        "password: <password1>",
        "Hashed password: pbkdf2:sha256:260000",
        "I changed the password on 3 May.",
        "The password manager is version 7b.",
    ],
)
def test_what_is_no_password_passes(text: str) -> None:
    assert secret_signs(text) == set()


@pytest.mark.parametrize(
    "name", ["api key: {}", "token={}", "client_secret: '{}'", "Authorization: Bearer {}"]
)
def test_a_key_is_known_by_its_name(name: str) -> None:
    assert secret_signs(name.format(drawn(24))) == {"key"}
    for harmless in ("your_token_goes_here_1", "x" * 24, "aaaaaaaaaaaa11111111", "config.token_1"):
        assert secret_signs(name.format(harmless)) == set()


@pytest.mark.parametrize(
    "name", ["my pin is {}", "PIN: {}", "The alarm code is {}.", "CVV {}", "Die PIN lautet {}"]
)
def test_a_pin_is_known_by_its_name(name: str) -> None:
    joined = name if name != "CVV {}" else "CVV: {}"
    assert secret_signs(joined.format("4821")) == {"pin"}
    assert secret_signs(joined.format("on the board")) == set()


SEED = "legal winner thank year wave sausage worth useful legal winner thank yellow"


def test_a_seed_phrase() -> None:
    assert secret_signs(f"seed phrase: {SEED}") == {"seed-phrase"}
    numbered = " ".join(f"{place}. {word}" for place, word in enumerate(SEED.split(), 1))
    assert secret_signs(f"My recovery phrase is: {numbered}") == {"seed-phrase"}
    assert secret_signs(f"seed phrase: {' '.join(SEED.split()[:10])}") == set()
    prose = (
        "seed phrase: keep these twelve words and never show them outside your house again please"
    )
    assert secret_signs(prose) == set()
    assert secret_signs(SEED) == set()


# --- numbers ---------------------------------------------------------------------------------

CARDS = [
    "4111111111111111",
    "5500000000000004",
    "378282246310005",
    "6011000000000004",
    "30000000000004",
]


def grouped(card: str, gap: str) -> str:
    cuts = {16: (4, 8, 12), 15: (4, 10), 14: (4, 10)}[len(card)]
    return gap.join(card[a:b] for a, b in zip((0, *cuts), (*cuts, len(card)), strict=True))


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("gap", ["", " ", "-"])
def test_a_card_is_known_by_its_check_digit(card: str, gap: str) -> None:
    assert secret_signs(f"pay with {grouped(card, gap)}, please") == {"card-number"}
    wrong = card[:-1] + str((int(card[-1]) + 1) % 10)
    assert secret_signs(f"pay with {grouped(wrong, gap)}, please") == set()


def test_a_number_of_no_issuer_is_no_card() -> None:
    assert secret_signs("4000000000000002") == {"card-number"}
    assert secret_signs("9000000000000001") == set()  # its check digit is right


def test_what_is_called_an_order_is_no_card() -> None:
    assert secret_signs("number 4111 1111 1111 1111") == {"card-number"}
    assert secret_signs("order number 4111 1111 1111 1111") == set()


@pytest.mark.parametrize(
    "iban",
    [
        "DE89 3704 0044 0532 0130 00",
        "GB29NWBK60161331926819",
        "ES91 2100 0418 4502 0005 1332",
        "FR14 2004 1010 0505 0001 3M02 606",
        "no93 8601 1117 947",
    ],
)
def test_an_iban_is_known_by_its_check_digits(iban: str) -> None:
    assert secret_signs(f"send it to {iban} by noon this week") == {"iban"}
    wrong = iban[:2] + "00" + iban[4:]
    assert secret_signs(f"send it to {wrong} by noon this week") == set()


def test_a_social_security_number() -> None:
    assert secret_signs("078-05-1120") == {"social-security-number"}
    assert secret_signs("her social security number is 219 09 9999") == {"social-security-number"}
    for harmless in ("000-12-3456", "900-12-3456", "123-00-4567", "219 09 9999", "078-05-11201"):
        assert secret_signs(harmless) == set()


@given(st.dates(), st.times(), st.uuids(), st.integers(10**8, 10**11))
def test_dates_ids_and_phone_numbers_are_no_secrets(
    day: object, clock: object, uuid: object, phone: int
) -> None:
    assert secret_signs(f"on {day} at {clock} with {uuid}, call +{phone}") == set()
