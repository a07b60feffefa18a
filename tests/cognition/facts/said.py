"""Sentences, and the facts that Ana says with them.

A fact is written as "subject | attribute | value", with a mark before it where it is not simply
said to be so: "-" denied, "!" taken back, "!-" a denial taken back, "~" corrected, "~-" denied by
a correction, "%" in part. The dates since and until when it holds follow as "@2015..2019".
"""

from __future__ import annotations

from mnemic.cognition.facts import attribute
from mnemic.model.fact import Fact, Shape

_MARKS = {
    Shape.ASSERTION: "",
    Shape.BOUNDED: "",
    Shape.RETRACTION: "!",
    Shape.CORRECTION: "~",
    Shape.PARTIAL: "%",
}


def written(fact: Fact) -> str:
    """A fact as a line."""
    mark = _MARKS[fact.shape] + ("-" if fact.negated else "")
    line = f"{fact.subject} | {fact.attribute} | {fact.value}"
    if fact.since or fact.until:
        line += f" @{fact.since or ''}..{fact.until or ''}"
    return f"{mark} {line}" if mark else line


def read(line: str) -> Fact:
    """The fact that a line writes; its attribute tells whether it holds many values."""
    mark, _, rest = line.partition(" ") if line[0] in "!~%-" else ("", "", line)
    said, _, dates = rest.partition(" @")
    since, _, until = dates.partition("..")
    subject, name, value = said.split(" | ")
    shape = next((shape for shape, sign in _MARKS.items() if sign and sign in mark), None)
    return Fact(
        subject=subject,
        attribute=name,
        value=value,
        many=attribute(name).many,
        negated="-" in mark,
        shape=shape or (Shape.BOUNDED if dates else Shape.ASSERTION),
        since=since or None,
        until=until or None,
    )


SAID: list[tuple[str, list[str]]] = [
    # where somebody lives and comes from
    ("I live in Lisbon.", ["ana | lives_in | Lisbon"]),
    ("i live in lisbon", ["ana | lives_in | lisbon"]),
    ("I live in Lisbon with my dog.", ["ana | lives_in | Lisbon"]),
    ("By the way, I currently live in Lisbon, Portugal.", ["ana | lives_in | Lisbon, Portugal"]),
    ("I'm based in São Paulo these days.", ["ana | lives_in | São Paulo"]),
    ("I've been living in Harajuku for three months now.", ["ana | lives_in | Harajuku"]),
    ("We live in Faro.", ["ana | lives_in | Faro"]),
    ("I just moved to Porto!", ["ana | lives_in | Porto"]),
    ("I moved to Porto in May 2020.", ["ana | lives_in | Porto @2020-05.."]),
    ("Since 2019 I've lived in Porto.", ["ana | lives_in | Porto @2019.."]),
    ("I've lived in Porto since 2019.", ["ana | lives_in | Porto @2019.."]),
    ("I lived in Rome from 2015 to 2019.", ["ana | lives_in | Rome @2015..2019"]),
    ("I lived in Rome in 2016.", ["ana | lives_in | Rome @2016..2016"]),
    ("I lived in Rome until March 2018.", ["ana | lives_in | Rome @..2018-03"]),
    ("Between 2010 and 2012, I lived in Oslo.", ["ana | lives_in | Oslo @2010..2012"]),
    ("I no longer live in Lisbon.", ["! ana | lives_in | Lisbon"]),
    ("I don't live in Lisbon anymore.", ["! ana | lives_in | Lisbon"]),
    ("I do not live in Lisbon any longer.", ["! ana | lives_in | Lisbon"]),
    ("I used to live in Lisbon.", ["! ana | lives_in | Lisbon"]),
    ("Forget that I live in Lisbon.", ["! ana | lives_in | Lisbon"]),
    ("It's no longer true that I live in Lisbon.", ["! ana | lives_in | Lisbon"]),
    ("I moved out of Lisbon in 2021.", ["! ana | lives_in | Lisbon @..2021"]),
    ("I don't live in Lisbon.", ["- ana | lives_in | Lisbon"]),
    (
        "I don't live in Lisbon, I live in Porto.",
        ["- ana | lives_in | Lisbon", "~ ana | lives_in | Porto"],
    ),
    (
        "I don't live in Lisbon but in Porto.",
        ["~- ana | lives_in | Lisbon", "~ ana | lives_in | Porto"],
    ),
    (
        "Actually, I live in Porto, not Lisbon.",
        ["~ ana | lives_in | Porto", "~- ana | lives_in | Lisbon"],
    ),
    ("Actually, I live in Porto.", ["~ ana | lives_in | Porto"]),
    ("No, I live in Porto!", ["~ ana | lives_in | Porto"]),
    ("I live in Porto only in winter.", ["% ana | lives_in | Porto"]),
    ("I'm originally from Brazil.", ["ana | comes_from | Brazil"]),
    ("I live at 12 Rose Street.", ["ana | address | 12 Rose Street"]),
    ("My address is Rua Augusta 24, Lisboa.", ["ana | address | Rua Augusta 24, Lisboa"]),
    ("Now that I live in Porto, the sea is close.", ["ana | lives_in | Porto"]),
    ("I live in Porto, where do I find a good baker?", ["ana | lives_in | Porto"]),
    # names, birth, age
    ("My name is Ana Lima.", ["ana | called | Ana Lima"]),
    ("my name is ana", ["ana | called | ana"]),
    ("Hi, I'm Ana!", ["ana | called | Ana"]),
    (
        "My name is not Anna, it's Ana.",
        ["~- ana | called | Anna", "~ ana | called | Ana"],
    ),
    ("My nickname is Nita.", ["ana | nickname | Nita"]),
    ("My pronouns are she/her.", ["ana | pronouns | she/her"]),
    ("My birthday is May 5.", ["ana | born_on | May 5"]),
    ("Please remember that my birthday is on the 5th of May.", ["ana | born_on | the 5th of May"]),
    ("I was born on 5 May 1990.", ["ana | born_on | 5 May 1990"]),
    ("I was born in Lisbon.", ["ana | born_in | Lisbon"]),
    (
        "My birthday is not May 5 but May 6.",
        ["~- ana | born_on | May 5", "~ ana | born_on | May 6"],
    ),
    ("I'm 32 years old.", ["ana | age | 32"]),
    (
        "I'm 28 and living in Faro, how can I save money?",
        ["ana | age | 28", "ana | lives_in | Faro"],
    ),
    ("I just turned 30.", ["ana | age | 30"]),
    ("I'm 180 cm tall.", ["ana | height | 180 cm"]),
    ("I'm Portuguese.", ["ana | nationality | Portuguese"]),
    # work and study
    ("I work at Acme.", ["ana | works_at | Acme"]),
    ("I work for Acme Labs as a chemist.", ["ana | works_at | Acme Labs"]),
    (
        "I work as a nurse at Acme Corp. and live in Porto.",
        ["ana | works_as | nurse", "ana | works_at | Acme Corp", "ana | lives_in | Porto"],
    ),
    ("I'm a software engineer.", ["ana | works_as | software engineer"]),
    (
        "I'm a teacher at Lincoln High.",
        ["ana | works_as | teacher", "ana | works_at | Lincoln High"],
    ),
    ("I joined Acme in 2021.", ["ana | works_at | Acme @2021.."]),
    ("I started at Acme last week.", ["ana | works_at | Acme"]),
    ("I left Acme in 2020.", ["! ana | works_at | Acme @..2020"]),
    ("I quit my job at Acme.", ["! ana | works_at | Acme"]),
    ("I don't work at Acme any more.", ["! ana | works_at | Acme"]),
    ("I'm no longer working for Acme.", ["! ana | works_at | Acme"]),
    ("I worked at Acme from 2010 to 2014.", ["ana | works_at | Acme @2010..2014"]),
    ("I became a pilot in 2018.", ["ana | works_as | pilot @2018.."]),
    ("I'm not a doctor.", ["- ana | works_as | doctor"]),
    ("I work in digital marketing.", ["ana | works_in | digital marketing"]),
    ("I study biology at Harvard.", ["ana | studies | biology"]),
    ("I graduated from Yale in 2010.", ["ana | studied_at | Yale @2010.."]),
    # people and pets
    ("I'm married to Tom.", ["ana | married_to | Tom"]),
    ("My husband Tom made dinner.", ["ana | married_to | Tom"]),
    ("I'm engaged to Tom Silva.", ["ana | engaged_to | Tom Silva"]),
    ("I'm dating Rui.", ["ana | partner | Rui"]),
    ("I broke up with Rui.", ["! ana | partner | Rui"]),
    ("I have a sister named Eva.", ["ana | sibling | Eva"]),
    ("I've got a brother called Rui.", ["ana | sibling | Rui"]),
    ("My sister's name is Eva.", ["ana | sibling | Eva"]),
    ("Tom is my brother.", ["ana | sibling | Tom"]),
    ("My daughter Mia starts school on Monday.", ["ana | child | Mia"]),
    (
        "I had lunch with my boss, Greg, and my colleague Rita.",
        ["ana | boss | Greg", "ana | colleague | Rita"],
    ),
    ("My boss is Greg.", ["ana | boss | Greg"]),
    ("My dog's name is Rex and my cat is called Luna.", ["ana | pet | Rex", "ana | pet | Luna"]),
    ("I have a dog named Rex.", ["ana | pet | Rex"]),
    ("I spent the day with my best friend Sarah.", ["ana | friend | Sarah"]),
    # food and health
    ("I'm allergic to peanuts.", ["ana | allergic_to | peanuts"]),
    (
        "I'm allergic to peanuts, shellfish and cats.",
        [
            "ana | allergic_to | peanuts",
            "ana | allergic_to | shellfish",
            "ana | allergic_to | cats",
        ],
    ),
    ("I'm no longer allergic to cats.", ["! ana | allergic_to | cats"]),
    ("Keep in mind that I'm allergic to nuts.", ["ana | allergic_to | nuts"]),
    ("I'm vegan.", ["ana | diet | vegan"]),
    ("I'm a vegetarian, so what can I order there?", ["ana | diet | vegetarian"]),
    ("I became vegan in 2020.", ["ana | diet | vegan @2020.."]),
    ("I'm lactose intolerant.", ["ana | intolerant_to | lactose"]),
    ("I don't eat pork.", ["- ana | eats | pork"]),
    ("I only eat meat at weekends.", ["% ana | eats | meat"]),
    ("I don't drink coffee any more.", ["! ana | drinks | coffee"]),
    ("My blood type is O+.", ["ana | blood_type | O+"]),
    # likes and habits
    ("I love painting!", ["ana | likes | painting"]),
    (
        "I like tea, coffee and rum.",
        ["ana | likes | tea", "ana | likes | coffee", "ana | likes | rum"],
    ),
    ("I love indie and folk music.", ["ana | likes | indie and folk music"]),
    ("I like books about stars and planets.", ["ana | likes | books about stars"]),
    ("I don't like coffee.", ["- ana | likes | coffee"]),
    ("I hate tea.", ["- ana | likes | tea"]),
    ("I no longer hate tea.", ["!- ana | likes | tea"]),
    ("I like tea, not coffee.", ["~ ana | likes | tea", "~- ana | likes | coffee"]),
    ("I like cheese except blue cheese.", ["% ana | likes | cheese"]),
    ("I'm a big fan of jazz.", ["ana | likes | jazz"]),
    ("I prefer tea over coffee.", ["ana | prefers | tea over coffee"]),
    ("I prefer window seats.", ["ana | prefers | window seats"]),
    ("My favourite colour is blue.", ["ana | favourite_colour | blue"]),
    ("My favorite color is blue.", ["ana | favourite_colour | blue"]),
    ("Blue is my favorite color.", ["ana | favourite_colour | Blue"]),
    (
        'My favourite book is "The Left Hand of Darkness".',
        ["ana | favourite_book | The Left Hand of Darkness"],
    ),
    ("I play the piano and chess.", ["ana | plays | piano", "ana | plays | chess"]),
    ("I stopped playing tennis in 2019.", ["! ana | plays | tennis @..2019"]),
    (
        "I speak English, French and Dutch.",
        ["ana | speaks | English", "ana | speaks | French", "ana | speaks | Dutch"],
    ),
    ("I don't speak German.", ["- ana | speaks | German"]),
    ("I own a Volvo.", ["ana | owns | Volvo"]),
    ("I sold my Volvo.", ["! ana | owns | Volvo"]),
    ("I sold my old boat to Tom.", ["! ana | owns | old boat"]),
    ("I drive a Tesla Model 3.", ["ana | drives | Tesla Model 3"]),
    ("My car is a Toyota Corolla.", ["ana | drives | Toyota Corolla"]),
    ("I use Notion for my notes.", ["ana | uses | Notion"]),
    ("I collect old maps.", ["ana | collects | old maps"]),
    # how to reach somebody
    ("My phone number is +351 912 345 678.", ["ana | phone | +351 912 345 678"]),
    ("My new number is 912 345 678.", ["ana | phone | 912 345 678"]),
    ("My email is ana@example.org.", ["ana | email | ana@example.org"]),
    ("My timezone is Europe/Lisbon.", ["ana | timezone | Europe/Lisbon"]),
    # things
    ("The rent is 900 euros a month.", ["rent | price | 900 euros a month"]),
    ("My rent is €900.", ["ana's rent | price | €900"]),
    ("The course costs $300.", ["course | price | $300"]),
    ("The meeting is at 3pm.", ["meeting | meets_at | 3pm"]),
    (
        "The meeting is on Friday at 3 p.m.",
        ["meeting | meets_on | Friday", "meeting | meets_at | 3 p.m"],
    ),
    ("The meeting was moved to 15:30.", ["meeting | meets_at | 15:30"]),
    ("Choir rehearses on Tuesdays.", ["choir | meets_on | Tuesdays"]),
    (
        "The book club now meets on Mondays and Thursdays.",
        ["book club | meets_on | Mondays and Thursdays"],
    ),
    ("The meeting is at noon.", ["meeting | meets_at | noon"]),
    ("My gym day is Friday.", ["ana's gym day | meets_on | Friday"]),
    ("The deadline for the report is May 5.", ["report | deadline | May 5"]),
    ("The report deadline is 1 June 2024.", ["report | deadline | 1 June 2024"]),
    ("The report is due on Friday.", ["report | deadline | Friday"]),
    # of others
    ("Ana lives in Porto.", ["ana | lives_in | Porto"]),
    (
        "Tom Silva works at Acme and plays the cello.",
        ["tom silva | works_at | Acme", "tom silva | plays | cello"],
    ),
    ("Tom doesn't live in Lisbon anymore.", ["! tom | lives_in | Lisbon"]),
    ("Tom used to like jazz.", ["! tom | likes | jazz"]),
    ("Tom is 45.", ["tom | age | 45"]),
    ("Tom's allergic to nuts.", ["tom | allergic_to | nuts"]),
    ("Tom's phone is 912 345 678.", ["tom | phone | 912 345 678"]),
    ("Tom's sister lives in Rome.", ["tom's sister | lives_in | Rome"]),
    ("Tom's favourite dish is paella.", ["tom | favourite_dish | paella"]),
    ("Tom moved to Oslo in 2019.", ["tom | lives_in | Oslo @2019.."]),
    ("Tom's dog is called Bono.", ["tom | pet | Bono"]),
    ("My sister lives in Rome.", ["ana's sister | lives_in | Rome"]),
    ("My sister Eva lives in Rome.", ["eva | lives_in | Rome", "ana | sibling | Eva"]),
    ("My mom is a nurse.", ["ana's mother | works_as | nurse"]),
    ("My sister's phone is 912 345 678.", ["ana's sister | phone | 912 345 678"]),
    ("My parents live in Faro.", ["ana's parents | lives_in | Faro"]),
    ("My son is 5.", ["ana's son | age | 5"]),
    ("My wife doesn't eat fish.", ["- ana's wife | eats | fish"]),
    ("I moved from Berlin to Munich in 2020.", ["ana | lives_in | Munich @2020.."]),
    (
        "In 2016 I moved to Rome, and I moved to Oslo.",
        ["ana | lives_in | Rome @2016..", "ana | lives_in | Oslo"],
    ),
    (
        "I live in New York City now, and work for Google.",
        ["ana | lives_in | New York City", "ana | works_at | Google"],
    ),
    (
        "I live in Austin, TX, and work in finance.",
        ["ana | lives_in | Austin, TX", "ana | works_in | finance"],
    ),
    ("I've worked at IBM for ten years.", ["ana | works_at | IBM"]),
    ("I left Acme for Initech.", ["! ana | works_at | Acme"]),
    ("I'm the CEO of Acme.", ["ana | works_as | CEO", "ana | works_at | Acme"]),
    ("I'm a student at MIT.", ["ana | works_as | student", "ana | studies_at | MIT"]),
    (
        "I'm an engineer, not a designer.",
        ["~ ana | works_as | engineer", "~- ana | works_as | designer"],
    ),
    ("I'm a 32-year-old woman.", ["ana | age | 32"]),
    ("I married Tom in 2010.", ["ana | married_to | Tom @2010.."]),
    ("My teacher, Mrs. Brown, is nice.", ["ana | teacher | Mrs. Brown"]),
    ("My dear friend Ana Maria de Souza called.", ["ana | friend | Ana Maria de Souza"]),
    ("I can't stand loud music.", ["- ana | likes | loud music"]),
    ("I speak a little Spanish.", ["ana | speaks | Spanish"]),
    ("My phone is +1 (555) 123-4567, call me.", ["ana | phone | +1 (555) 123-4567"]),
    (
        "I have a yoga class on Tuesdays at 6 pm.",
        ["ana's yoga class | meets_on | Tuesdays", "ana's yoga class | meets_at | 6 pm"],
    ),
    ("Yoga is every other Tuesday.", ["yoga | meets_on | every other Tuesday"]),
    ("Mr. Smith lives in London.", ["mr smith | lives_in | London"]),
    # several sentences
    ("I live in Porto and I love it.", ["ana | lives_in | Porto"]),
    ("Great! I live in Porto. How are you?", ["ana | lives_in | Porto"]),
    ("I live in Porto, and I might visit Rome.", ["ana | lives_in | Porto"]),
    ("I'm vegan, but I'm not sure what to cook tonight.", ["ana | diet | vegan"]),
]
"""What gives facts."""
