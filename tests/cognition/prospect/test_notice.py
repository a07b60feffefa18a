"""What people say is to be done later, and the many sentences that say nothing of the kind."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.cognition.prospect import Trigger, find_when, intended
from mnemic.cognition.prospect.asking import askings

TIME, EVENT, CONTEXT = Trigger.TIME, Trigger.EVENT, Trigger.CONTEXT

AT_A_TIME = {
    "Remind me to call Marta tomorrow at 5": "call Marta",
    "remind me tomorrow at 5 to call marta.": "call marta",
    "Please remind me to send the invoice by Friday.": "send the invoice",
    "Hey, can you please remind me next Tuesday at 15:00 that the plumber comes?": (
        "the plumber comes"
    ),
    "Can you remind me about the dentist on Tuesday?": "the dentist",
    "Don't let me forget to water the plants every Monday at 9": "water the plants",
    "Don't forget to send me the report on Monday": "send me the report",
    "Remember to check the oven in 20 minutes": "check the oven",
    "Set a reminder for tomorrow at 9 to call Ines": "call Ines",
    "Remind me every weekday at 8:45 about the stand-up": "the stand-up",
    "Remind me in an hour that I have to take the cake out": "I have to take the cake out",
    "I have to send the slides by Thursday noon": "send the slides",
    "I still need to pay the rent on the 1st": "pay the rent",
    "I need to remember to bring the book this Saturday, so it gets read": "bring the book",
    "I promised Ines to bring the book on Saturday": "bring the book",
    "Thanks! And remind me to call Dr. Costa on Monday at 10 a.m. about the scan.": (
        "call Dr. Costa about the scan"
    ),
    "The talk was moved, so can you remind me that it is on March 22 at 4:30 PM?": "it is",
    "Erinnere mich morgen um 9 daran, Marta anzurufen.": "Marta anzurufen",
    "Kannst du mich morgen daran erinnern, die Blumen zu gießen?": "die Blumen zu gießen",
    "Kannst du mich am Montag an den Termin erinnern?": "den Termin",
    "Recuérdame mañana a las 9 que llame a Marta.": "llame a Marta",
    "¿Puedes recordarme el viernes que tengo que pagar el alquiler?": "pagar el alquiler",
    "Rappelle-moi demain à 9h d'appeler Marta.": "appeler Marta",
    "Peux-tu me rappeler vendredi que je dois payer le loyer ?": "payer le loyer",
    "Ricordami domani alle 9 di chiamare Marta.": "chiamare Marta",
    "Lembra-me amanhã às 9 de ligar à Marta.": "ligar à Marta",
    "Herinner me er morgen om 9 uur aan om Marta te bellen.": "Marta te bellen",
    "Kun je me er morgen aan herinneren om melk te kopen?": "melk te kopen",
}

AT_AN_EVENT = {
    "When Marta calls, ask her about the invoice.": ("ask her about the invoice", "Marta calls"),
    "Remind me when Marta calls to ask about the invoice": ("ask about the invoice", "Marta calls"),
    "Remind me to ask about the invoice when Marta calls": ("ask about the invoice", "Marta calls"),
    "Remind me after lunch to take my pills": ("take my pills", "lunch"),
    "Remind me to take my pills after lunch": ("take my pills", "lunch"),
    "Remind me to look after the cat when Leo leaves": ("look after the cat", "Leo leaves"),
    "As soon as the parcel arrives, tell Leo": ("tell Leo", "the parcel arrives"),
    "If Marta calls, let me know": ("let me know", "Marta calls"),
    "Tell Leo about the trip when he comes home": ("Tell Leo about the trip", "he comes home"),
    "When you see Leo, ask him for the key": ("ask him for the key", "you see Leo"),
    "The next time I'm in the shop, remind me to buy oats": ("buy oats", "I'm in the shop"),
    "When Marta calls tomorrow, ask her": ("ask her", "Marta calls"),
    "Erinnere mich daran, Milch zu kaufen, wenn ich im Laden bin.": (
        "Milch zu kaufen",
        "ich im Laden bin",
    ),
    "Erinnere mich, wenn Marta anruft, nach der Rechnung zu fragen.": (
        "nach der Rechnung zu fragen",
        "Marta anruft",
    ),
    "Recuérdame preguntar por la factura cuando llame Marta.": (
        "preguntar por la factura",
        "llame Marta",
    ),
    "Rappelle-moi de parler de la facture quand Marta appelle.": (
        "parler de la facture",
        "Marta appelle",
    ),
    "Ricordami di chiedere della fattura quando Marta chiama.": (
        "chiedere della fattura",
        "Marta chiama",
    ),
    "Lembra-me de perguntar pela fatura quando a Marta ligar.": (
        "perguntar pela fatura",
        "a Marta ligar",
    ),
    "Herinner me eraan om naar de factuur te vragen als Marta belt.": (
        "naar de factuur te vragen",
        "Marta belt",
    ),
}

AT_TALK = {
    "Next time we talk about Rome mention the hotel": ("mention the hotel", "Rome"),
    "Next time we talk about Rome, please mention the hotel.": ("mention the hotel", "Rome"),
    "Remind me about the hotel when we talk about Rome": ("the hotel", "Rome"),
    "When the topic of holidays comes up, remind me about the visa": ("the visa", "holidays"),
    "If Rome comes up again, mention the hotel": ("mention the hotel", "Rome"),
    "Can you remind me to buy milk?": ("buy milk", "buy milk"),
    "Remind me that I owe Leo 20 euros": ("I owe Leo 20 euros", "I owe Leo 20 euros"),
    "Remind me to ask Marta when the meeting is": (
        "ask Marta when the meeting is",
        "ask Marta when the meeting is",
    ),
    "Erinnere mich an das Hotel, wenn wir über Rom sprechen.": ("das Hotel", "Rom"),
    "Recuérdame lo del hotel la próxima vez que hablemos de Roma.": ("lo del hotel", "Roma"),
    "Rappelle-moi de parler de l'hôtel la prochaine fois qu'on parle de Rome": (
        "parler de l'hôtel",
        "Rome",
    ),
    "Ricordami di parlare dell'hotel la prossima volta che parliamo di Roma.": (
        "parlare dell'hotel",
        "Roma",
    ),
    "Lembra-me de mencionar o hotel quando falarmos de Roma.": ("mencionar o hotel", "Roma"),
}

NOTHING = (
    "We went to Rome on March 3rd",
    "Marta calls every Monday at 9",
    "The meeting is tomorrow at 5",
    "You remind me of my sister",
    "That reminds me to call home",
    "They always remind me to slow down",
    "She always has to remind me to eat tomorrow",
    "Did you remind me to call Leo?",
    "No need to remind me to call Leo tomorrow",
    "She asked me to remind her to call tomorrow",
    "It was a reminder to call home",
    "Can you remind me what we said about Rome?",
    "Can you remind me when my next game is?",
    "Can you remind me when I last had my bike serviced and what was done?",
    "Can you remind me when I last had my bike serviced and what was done to it?",
    "Can you remind me of the hotel's name?",
    "Can you remind me about the hotel?",
    "Remind me why I came here",
    "Remind me tomorrow",
    "Remember that Leo is allergic to nuts",
    "Just remember to take breaks",
    "Don't forget to stay positive!",
    "Don't forget to take breaks when you need them",
    "I have to say it was great on Friday",
    "I have to get up at 6 every day",
    "I have to get up at 6",
    "I don't have to work on Friday",
    "I had to work on Friday",
    "I have to work harder",
    "If you have any tips, let me know",
    "If you understand, say yes",
    "If that doesn't work, tell me more",
    "If I run into more problems, I'll definitely ask.",
    "When I was young, call me Al was a hit",
    "When motivating others, it is good to listen, and remind them of the goal",
    "When the team is tired, it is good to listen, to praise what goes well, and remind them",
    "When Marta wants to ask him she calls",
    "Can you tell me what to look for when buying a flat?",
    "Tell me when the train arrives",
    "Ask Leo if he is coming",
    "When Marta calls I am happy",
    "After lunch we went home",
    "Das erinnert mich an meine Schwester.",
    "Ich war am 3. März in Rom.",
    "El 3 de marzo fuimos a Roma.",
    "¿Puedes recordarme qué es eso?",
    "Rappelle-moi demain.",
    "Ça me rappelle ma sœur.",
    "Mi ricordi mia sorella.",
    "Isso lembra-me a minha irmã.",
    "Dat doet me denken aan mijn zus.",
    "",
)


@pytest.mark.parametrize("text", AT_A_TIME)
def test_what_is_to_be_done_at_a_time(text: str) -> None:
    found = intended(text)
    assert found is not None
    assert (found.trigger, found.content) == (TIME, AT_A_TIME[text])
    assert (found.event, found.cue, found.lasting) == (None, None, False)
    noon = datetime(2026, 11, 30, 12, tzinfo=ZoneInfo("Europe/Lisbon"))
    assert find_when(found.sentence, noon, ZoneInfo("Europe/Lisbon")) is not None


@pytest.mark.parametrize("text", AT_AN_EVENT)
def test_what_is_to_be_done_at_an_event(text: str) -> None:
    found = intended(text)
    assert found is not None
    assert found.trigger is EVENT
    assert (found.content, found.event) == AT_AN_EVENT[text]


@pytest.mark.parametrize("text", AT_TALK)
def test_what_is_to_be_done_when_a_matter_is_talked_about(text: str) -> None:
    found = intended(text)
    assert found is not None
    assert found.trigger is CONTEXT
    assert (found.content, found.cue) == AT_TALK[text]


@pytest.mark.parametrize("text", NOTHING)
def test_a_plain_sentence_says_nothing_is_to_be_done(text: str) -> None:
    assert intended(text) is None


@pytest.mark.parametrize(
    ("text", "lasting"),
    [
        ("Whenever I mention Leo, tell me about his birthday", True),
        ("Every time the build fails, send me the log", True),
        ("When the build fails, send me the log", False),
        ("Recuérdame beber agua cada vez que llame Marta", True),
    ],
)
def test_each_time_is_told_from_once(text: str, lasting: bool) -> None:
    found = intended(text)
    assert found is not None
    assert found.lasting is lasting


def test_the_sentence_is_the_one_that_says_so() -> None:
    found = intended("We met on Monday. It was nice! Remind me to call her tomorrow. Bye.")
    assert found is not None
    assert found.sentence == "Remind me to call her tomorrow."
    assert found.content == "call her"


def test_the_time_of_another_clause_is_not_its_time() -> None:
    text = "The deadline is April 20, and I need to {}"
    assert intended(text.format("work harder")) is None
    found = intended(text.format("decide by March 10"))
    assert found is not None
    assert found.content == "decide"
    assert found.sentence == "I need to decide by March 10"


def test_each_language_asks_in_its_own_words() -> None:
    assert len(askings()) == 7


PIECES = (
    "remind me, to about when if we talk about Marta calls ask her tomorrow at 5 by Friday I have"
    " to next time , and . ? erinnere mich daran recuérdame que"
).split()


@given(st.lists(st.sampled_from(PIECES), max_size=14))
def test_what_is_noticed_is_said(words: list[str]) -> None:
    text = " ".join(words)
    found = intended(text)
    if found is None:
        return
    assert found.content
    for told in (found.content, found.event, found.cue):
        if told is not None:
            assert all(word in text for word in told.split())
    assert (found.event is not None) == (found.trigger is EVENT)
    assert (found.cue is not None) == (found.trigger is CONTEXT)
