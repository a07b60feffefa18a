"""Grave statements about a person wait; everyday ones about health, faith and voting do not."""

from __future__ import annotations

import pytest

from mnemic.cognition.screen import Concern, Finding, screen

GRAVE = {
    "health-diagnosis": [
        "I was diagnosed with multiple sclerosis last spring.",
        "My father has dementia.",
        "She is HIV positive.",
        "He tested positive for hepatitis.",
        "My sister was diagnosed with breast cancer.",
    ],
    "mental-health": [
        "I was diagnosed with bipolar disorder.",
        "My brother has schizophrenia.",
        "She tried to kill herself.",
        "My cousin attempted suicide in May.",
        "She was admitted to a psychiatric ward.",
    ],
    "medication": ["I take lithium every night.", "My mother was prescribed antidepressants."],
    "addiction": ["He is a recovering alcoholic.", "My uncle went to rehab."],
    "pregnancy": ["I'm pregnant!", "She is twelve weeks pregnant.", "My wife had a miscarriage."],
    "sexual-life": ["He came out as gay.", "I am bisexual.", "She was sexually assaulted."],
    "belief": ["I am a practising Muslim.", "My husband converted to Judaism.", "She is Jewish."],
    "politics": ["I voted for the Green Party.", "He is a registered Republican."],
    "union": ["I joined the nurses union.", "She is a trade union steward."],
    "ethnicity": ["He is Native American.", "I am of Romani descent."],
    "criminal-record": ["I have a criminal record.", "He spent two years in prison."],
    "immigration": ["My boyfriend is undocumented.", "She overstayed her visa."],
    "genetic": ["I carry the BRCA1 gene."],
}

EVERYDAY = [
    "I have a headache.",
    "I'm allergic to peanuts.",
    "My mother has a cold.",
    "My doctor's appointment is on Monday.",
    "I have a new dentist.",
    "I take vitamins every night.",
    "My dog was diagnosed with cancer.",
    "The paper is about HIV.",
    "He has a test for his licence.",
    "She is happy about the baby.",
    "He came out as the winner.",
    "The parade was gay and loud.",
    "We visited a Jewish museum.",
    "She is Irish.",
    "I voted today.",
    "He joined the football club.",
    "The union of the two sets is empty.",
    "He is a criminal lawyer.",
    "She spent two years in Prague.",
    "He broke the record in the criminal law exam.",
    "I need a visa for Japan.",
    "Who was convicted in the trial?",
    "Genes carry information.",
]


@pytest.mark.parametrize(
    ("sign", "text"), [(sign, text) for sign, texts in GRAVE.items() for text in texts]
)
def test_a_grave_statement_waits(sign: str, text: str) -> None:
    assert screen(text) == (Finding(Concern.SENSITIVE, sign),)


@pytest.mark.parametrize("text", EVERYDAY)
def test_everyday_talk_passes(text: str) -> None:
    assert screen(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Ich bin schwanger.",
        "Ich bin schwul.",
        "Soy seropositivo.",
        "Tengo antecedentes penales.",
        "Je suis enceinte.",
        "On m'a diagnostiqué un trouble bipolaire.",
        "Estou grávida.",
        "Sou gay.",
        "Sono sieropositiva.",
        "У меня ВИЧ.",
        "我被诊断出抑郁症。",
        "うつ病と診断されました。",
        "나는 동성애자야.",
        "أنا مصاب بالإيدز.",
    ],
)
def test_grave_statements_in_other_languages(text: str) -> None:
    assert {finding.concern for finding in screen(text)} == {Concern.SENSITIVE}


@pytest.mark.parametrize(
    "text",
    [
        "Ich bin müde.",
        "Soy alta.",
        "Je suis contente.",
        "Estou em casa.",
        "Sono stanca.",
        "У меня кошка.",
        "我被选为队长。",
        "私は元気です。",
        "나는 학생이야.",
        "أنا في البيت.",
    ],
)
def test_everyday_talk_in_other_languages_passes(text: str) -> None:
    assert screen(text) == ()
