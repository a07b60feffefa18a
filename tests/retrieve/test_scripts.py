"""Every script is found by its words alone, among other sentences of the same script."""

from __future__ import annotations

import pytest

from mnemic import BoundMemory
from tests.conftest import Opener

# Each: sentences, and questions with the place of the one that answers.
SCRIPTS: dict[str, tuple[list[str], list[tuple[str, int]]]] = {
    "Japanese": (
        [
            "母の誕生日は七月十二日です。",
            "昨日の夜、友達と映画を見ました。",
            "冷蔵庫に牛乳がもうありません。",
            "会議は火曜日の午後三時に始まります。",
            "ピアノの先生は横浜に住んでいます。",
            "新しい自転車を買いたいと思っています。",
        ],
        [("誕生日はいつ？", 0), ("ピアノの先生はどこに住んでいますか", 4), ("自転車", 5),
         ("牛乳はある？", 2), ("会議は何曜日", 3)],
    ),
    "Chinese": (
        [
            "我妹妹在北京大学学习物理。",
            "医生说我对花生过敏。",
            "下个星期六我们去爬长城。",
            "他的猫叫小黑,今年三岁。",
            "我把护照放在书桌的抽屉里。",
            "奶奶做的饺子最好吃。",
        ],
        [("护照放在哪里?", 4), ("我对什么过敏", 1), ("妹妹学习什么", 0), ("猫叫什么", 3),
         ("饺子", 5)],
    ),
    "Korean": (
        [
            "제 동생은 부산에서 일해요.",
            "어제 서점에서 한국사 책을 샀어요.",
            "할머니께서 김치를 보내 주셨어요.",
            "다음 달에 제주도로 여행을 갑니다.",
            "고양이 이름은 나비입니다.",
            "저는 매일 아침 수영장에 가요.",
        ],
        [("동생은 어디에서 일해요?", 0), ("제주도 여행", 3), ("고양이의 이름", 4), ("김치", 2),
         ("수영장", 5)],
    ),
    "Arabic": (
        [
            "تعمل أختي طبيبة في مستشفى القاهرة.",
            "اشتريت سيارة زرقاء الأسبوع الماضي.",
            "يحب والدي القهوة بدون سكر.",
            "موعد الطائرة في الساعة السادسة صباحاً.",
            "نسيت مفتاح البيت في المكتب.",
            "تعلمت العزف على العود في الصيف.",
        ],
        [("أين مفتاح البيت؟", 4), ("القهوة", 2), ("متى موعد الطائرة", 3), ("سيارة زرقاء", 1),
         ("طبيبة في القاهرة", 0)],
    ),
    "Hindi": (
        [
            "मेरी बहन दिल्ली में डॉक्टर है।",
            "मुझे मूंगफली से एलर्जी है।",
            "अगले हफ्ते हम पहाड़ों पर जाएंगे।",
            "उसकी बिल्ली का नाम मोती है।",
            "पासपोर्ट अलमारी की दराज में रखा है।",
            "दादी ने बहुत अच्छी खीर बनाई।",
        ],
        [("पासपोर्ट कहाँ है", 4), ("मूंगफली", 1), ("बिल्ली का नाम क्या है", 3), ("खीर", 5),
         ("दिल्ली में बहन", 0)],
    ),
    "Thai": (
        [
            "พี่สาวของฉันทำงานที่เชียงใหม่",
            "ฉันแพ้ถั่วลิสงมาก",
            "เมื่อวานไปดูหนังกับเพื่อน",
            "แมวของเขาชื่อมะลิ",
            "หนังสือเดินทางอยู่ในลิ้นชัก",
            "คุณยายทำแกงเขียวหวานอร่อย",
        ],
        [("หนังสือเดินทางอยู่ที่ไหน", 4), ("แพ้อะไร ถั่วลิสง", 1), ("แมวชื่ออะไร", 3),
         ("แกงเขียวหวาน", 5), ("เชียงใหม่", 0)],
    ),
    "Russian": (
        [
            "Моя сестра работает врачом в Казани.",
            "Ёлку мы поставили в гостиной.",
            "Он потерял паспорт на вокзале.",
            "Бабушка прислала банку варенья.",
            "Рейс отложили до понедельника.",
            "Кота зовут Барсик.",
        ],
        [("паспорт", 2), ("елку", 1), ("ЁЛКУ поставили", 1), ("банку варенья", 3),
         ("сестра в Казани", 0)],
    ),
    "German": (
        [
            "Meine Schwester wohnt in Köln am Rhein.",
            "Der Schlüssel liegt unter dem Blumentopf.",
            "Großvater hat seine Brille verloren.",
            "Am Dienstag gehen wir ins Theater.",
            "Das Frühstück gibt es ab acht Uhr.",
            "Der Hund heißt Waldi.",
        ],
        [("Wo liegt der Schlüssel?", 1), ("schlussel", 1), ("GROSSVATER Brille", 2),
         ("fruhstuck", 4), ("Köln", 0), ("koln", 0)],
    ),
    "Spanish": (
        [
            "Mi hermana vive en Málaga desde enero.",
            "El médico dice que soy alérgico a los cacahuetes.",
            "La niña perdió su muñeca en el jardín.",
            "Compré un teléfono nuevo ayer.",
            "El avión sale a las seis de la mañana.",
            "Aprendí a tocar la guitarra en verano.",
        ],
        [("¿Dónde vive mi hermana?", 0), ("malaga", 0), ("alergico", 1), ("muneca jardin", 2),
         ("MÉDICO", 1), ("teléfono", 3), ("telefono", 3), ("avion", 4)],
    ),
}  # fmt: skip
CASES = [
    pytest.param(sentences, question, sentences[place], id=f"{script}: {question}")
    for script, (sentences, questions) in SCRIPTS.items()
    for question, place in questions
]


@pytest.fixture
def who(open_brain: Opener) -> BoundMemory:
    """A caller whose questions are answered by words alone."""
    return open_brain(embedder=None).bind(user="ana")


def found(who: BoundMemory, question: str) -> list[str]:
    return [hit.trace.content for hit in who.recall(question, limit=100)]


def file(who: BoundMemory, texts: list[str]) -> None:
    receipts = who.remember_many([{"content": text, "thread": text} for text in texts])
    assert [receipt.status for receipt in receipts] == ["stored"] * len(texts)


@pytest.mark.parametrize(("sentences", "question", "answer"), CASES)
def test_a_sentence_is_found_by_its_words(
    who: BoundMemory, sentences: list[str], question: str, answer: str
) -> None:
    file(who, sentences)
    assert found(who, question)[0] == answer
    assert who.recall(question)[0].why.terms


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_sentence_is_stored_as_it_was_given(who: BoundMemory, script: str) -> None:
    sentences, _ = SCRIPTS[script]
    file(who, sentences)
    assert {trace.content for trace in who.list()} == set(sentences)
    hit = who.recall(sentences[2])[0]
    assert hit.trace.content == hit.why.passage == sentences[2]


def test_facts_of_one_length_are_told_apart(who: BoundMemory) -> None:
    """Japanese facts that differ in one name or number are facts of their own."""
    facts = [f"{name}の誕生日は{month}月です。" for name, month in zip(
        ["花子", "太郎", "次郎", "桃子"], "一二三四", strict=True)]  # fmt: skip
    assert len({len(fact) for fact in facts}) == 1
    file(who, facts)
    assert who.count() == 4
    for name, fact in zip(["花子", "太郎", "次郎", "桃子"], facts, strict=True):
        assert found(who, f"{name}の誕生日はいつですか")[0] == fact


def test_a_word_that_is_not_there_is_not_found(who: BoundMemory) -> None:
    for sentences, _ in SCRIPTS.values():
        file(who, sentences)
    for absent in ("象", "무지개", "فيل", "हाथी", "ฟุตบอล", "слон", "Elefant", "elefante"):
        assert found(who, absent) == []


def test_all_scripts_at_once_do_not_get_in_each_others_way(who: BoundMemory) -> None:
    for sentences, _ in SCRIPTS.values():
        file(who, sentences)
    for sentences, questions in SCRIPTS.values():
        question, place = questions[0]
        assert found(who, question)[0] == sentences[place]


def test_mixed_scripts_in_one_sentence(who: BoundMemory) -> None:
    file(who, ["Meeting with 田中さん at Café Zoë", "Treffen mit 鈴木さん im Büro", "Lunch alone"])
    assert found(who, "田中")[0] == "Meeting with 田中さん at Café Zoë"
    assert found(who, "cafe zoe")[0] == "Meeting with 田中さん at Café Zoë"
    assert found(who, "鈴木さん Buro")[0] == "Treffen mit 鈴木さん im Büro"


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("ｃａｆé ＡＢＣ１２３", "cafe abc123"),
        ("ﾋﾟｱﾉのレッスン", "ピアノ"),
        ("cafe\u0301 noir", "café"),
        ("room ١٢٣", "123"),
        ("STRASSE sechs", "straße"),
        ("İstanbul trip", "istanbul"),
        ("Ωmega-3 oil", "ωmega"),
        ("naïve coöperation", "NAIVE COOPERATION"),
    ],
)
def test_spellings_that_people_mix_up_meet(who: BoundMemory, written: str, asked: str) -> None:
    file(who, [written, "something else", "そのほかのこと"])
    assert found(who, asked)[0] in (written, "café noir")
    assert len(found(who, asked)) == 1
