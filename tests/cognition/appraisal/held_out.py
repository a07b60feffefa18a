"""Sentences written after the word lists, by which the lists were never mended."""

from __future__ import annotations

from tests.cognition.appraisal.sentences import NONE, C, E, M, N, P, S, Told, X

ENGLISH: list[Told] = [
    ("The kitchen faces north.", 0, NONE),
    ("She was born in Turin in 1984.", 0, NONE),
    ("Please send the slides by Friday noon.", 0, NONE),
    ("The backup runs every night at two.", 0, NONE),
    ("My passport expires in March.", 0, NONE),
    ("He works as a nurse in Dresden.", 0, NONE),
    ("I've got two cats and a tortoise.", 0, NONE),
    ("Tests are written with pytest in this project.", 0, NONE),
    ("The holidays were a disaster from start to finish.", -1, NONE),
    ("I'm so glad we finally talked about it.", 1, E),
    ("The new colleague is very friendly and picks things up quickly.", 1, N | S),
    ("This bug drives me crazy.", -1, NONE),
    ("Honestly the food was disgusting.", -1, E),
    ("I can't stand the noise from the road.", -1, E),
    ("My aunt recovered well after the operation.", 1, S),
    ("The lecture was dull and far too long.", -1, NONE),
    ("Great news, the bank approved our loan!", 1, N),
    ("I'm nervous about the exam tomorrow.", -1, E),
    ("We had so much fun at the lake.", 1, NONE),
    ("I didn't like the ending of the book.", -1, E),
    ("It hurts when I bend my knee.", -1, E),
    ("Nobody came to my party and I cried all evening.", -1, E | S),
    ("The tent kept us dry, it was worth every cent.", 1, NONE),
    ("He is the most selfish person I know.", -1, NONE),
    ("The battery lasts forever, I'm impressed.", 1, NONE),
    ("The plumber never showed up.", -1, NONE),
    ("The wifi keeps dropping and nobody fixes it.", -1, NONE),
    ("She lights up every room she enters.", 1, NONE),
    ("I would rather have stayed at home.", -1, NONE),
    ("Peeling the potatoes comes first, then you fry them in hot oil.", 0, P),
    ("These are the steps to renew the certificate.", 0, P),
    ("It was the first time that we had snow in April.", 0, N),
    ("My uncle is visiting us with his kids.", 0, S),
    ("Can we work on the poster together?", 0, C),
    ("They shared a taxi to the airport.", 0, C),
    ("He copied my homework and called it his own.", -1, M),
    ("Do we have permission to use these photos?", 0, M),
    ("I was mistaken, the shop opens at ten.", 0, X),
    ("He doesn't work at Siemens anymore.", 0, X),
    ("That is not true, I never signed it.", 0, X),
]

OTHERS: dict[str, list[Told]] = {
    "de": [
        ("Die neue Wohnung ist hell und gemütlich.", 1, N),
        ("Der Kellner war unfreundlich und das Essen kalt.", -1, NONE),
        ("Ich arbeite seit drei Jahren als Gärtner.", 0, NONE),
        ("Meine Tochter hat die Prüfung bestanden, ich bin so stolz!", 1, E | S),
    ],
    "es": [
        ("Mi nuevo trabajo es muy interesante.", 1, N),
        ("El vuelo se retrasó y perdimos la conexión.", -1, NONE),
        ("Trabajo como enfermero desde hace tres años.", 0, NONE),
        ("Mi hija aprobó el examen, ¡qué alegría!", 1, E | S),
    ],
    "fr": [
        ("Mon nouveau travail est passionnant.", 1, N),
        ("Le serveur était impoli et le repas froid.", -1, NONE),
        ("Je travaille comme infirmier depuis trois ans.", 0, NONE),
        ("Ma fille a réussi son examen, je suis si fière !", 1, E | S),
    ],
    "it": [
        ("Il mio nuovo lavoro è molto interessante.", 1, N),
        ("Il cameriere era scortese e la pasta fredda.", -1, NONE),
        ("Lavoro come infermiere da tre anni.", 0, NONE),
        ("Mia figlia ha superato l'esame, sono così orgogliosa!", 1, E | S),
    ],
    "pt": [
        ("O meu novo trabalho é muito interessante.", 1, N),
        ("O empregado foi grosseiro e a comida estava fria.", -1, NONE),
        ("Trabalho como enfermeiro há três anos.", 0, NONE),
        ("A minha filha passou no exame, que alegria!", 1, E | S),
    ],
    "nl": [
        ("Mijn nieuwe baan is erg leuk.", 1, N),
        ("De ober was onbeleefd en het eten koud.", -1, NONE),
        ("Ik werk al drie jaar als verpleger.", 0, NONE),
        ("Mijn dochter is geslaagd, ik ben zo trots!", 1, E | S),
    ],
}
