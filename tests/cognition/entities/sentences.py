"""Sentences with the names that a careful reader finds in them, by language.

A name is written "label = kind"; several are split at semicolons. `UNSEEN` was written after the
rules and lists were done, and nothing was changed for it.
"""

from __future__ import annotations

ENGLISH = {
    "I moved to Lisbon in May with my sister Clara.": "Lisbon = place; Clara = person",
    "Marta Ruiz works at Siemens in Munich.": "Marta Ruiz = person; Siemens = organization;"
    " Munich = place",
    "My dog Biscuit loves the beach.": "Biscuit = person",
    "Yesterday we had dinner at Luigi's and it was great.": "Luigi = organization",
    "Remember to call Dr. Okafor about the results.": "Okafor = person",
    "The meeting is on Tuesday at 10 am.": "",
    "I love Portuguese food and French wine.": "",
    "Visited Kraków last summer, then Vienna.": "Kraków = place; Vienna = place",
    "Tom and I are planning a trip to Japan.": "Tom = person; Japan = place",
    "We watched The Lives of Others on Friday night.": "Lives of Others = work",
    'My favourite book is "The Silent Orchard" by Ingrid Voss.': "The Silent Orchard = work;"
    " Ingrid Voss = person",
    "She said that she would never come back.": "",
    "Dinner was great, thanks!": "",
    "The new iPhone 15 is too expensive, so I kept my Pixel 6.": "iPhone 15 = thing;"
    " Pixel 6 = thing",
    "Our team uses PostgreSQL and Grafana at work.": "PostgreSQL = thing; Grafana = thing",
    "Grafana is down again.": "",
    "NASA announced a new mission to Mars.": "NASA = organization; Mars = place",
    "I HATE MONDAYS SO MUCH": "",
    "ok that is NOT what I meant": "",
    "The CEO of Northwind Traders resigned.": "Northwind Traders = organization",
    "My brother studies physics at the University of Porto.": "University of Porto = organization",
    "Aunt Rosa lives near the Golden Gate Bridge.": "Rosa = person; Golden Gate Bridge = place",
    "Thanks @priya_k for the help with #gardening": "@priya_k = person; #gardening = topic",
    "See https://www.example.org/Lisbon/Guide for details": "example.org = thing",
    "Send it to Ana.Silva@example.com please": "",
    "Zoltan said he would bring the tent.": "Zoltan = person",
    "Zara's birthday is next week.": "Zara = person",
    "It's raining in Seattle again.": "Seattle = place",
    "I can't stand that Mr. Pemberton.": "Pemberton = person",
    "We flew with Lufthansa from Frankfurt to São Paulo.": "Lufthansa = organization;"
    " Frankfurt = place; São Paulo = place",
    "George R. R. Martin has not finished it.": "George R. R. Martin = person",
    "The Boston Marathon was hard but fun.": "Boston Marathon = event",
    "I ran the Lisbon Half Marathon in March.": "Lisbon Half Marathon = event",
    "Is Jean-Luc coming to the party?": "Jean-Luc = person",
    "My landlord is Mrs. van der Berg.": "van der Berg = person",
    "Had lunch with Priya at Cafe Luna.": "Priya = person; Cafe Luna = organization",
    "Working on the Atlas project with the Berlin office.": "Atlas = thing; Berlin = place",
    "Honestly, I prefer tea to coffee.": "",
    "Note: buy milk, eggs and bread.": "",
    "He plays Zelda on his Nintendo Switch.": "Zelda = thing; Nintendo Switch = thing",
    "Her cousin Mei is a nurse in Singapore.": "Mei = person; Singapore = place",
    "They adopted a cat named Whiskers.": "Whiskers = person",
    "Did you read the report? I sent it to Henrik on Monday.": "Henrik = person",
    "The Red Cross offers a first aid course.": "Red Cross = organization",
    "Meeting Notes For The Product Launch": "",
    "Johnson & Johnson recalled the powder.": "Johnson & Johnson = organization",
    "I work for a Lisbon-based startup called Fernwood.": "Lisbon = place; Fernwood = organization",
    "My T-shirt size is M and my shoes are EU 43.": "",
    "We stayed at Hotel Miramar near Lake Como.": "Hotel Miramar = organization; Lake Como = place",
    "Happy birthday Nadia! See you in Oslo.": "Nadia = person; Oslo = place",
    "Our flight BA117 leaves at noon.": "BA117 = thing",
    "I grew up in the Netherlands, but my mom is from Ghana.": "Netherlands = place; Ghana = place",
    "Professor Adeyemi taught us statistics.": "Adeyemi = person",
    "We use `UserProfile.getName` in the code.": "",
    "The files are in /data/Marta/Documents.": "",
    "After the divorce Elena moved to Buenos Aires.": "Elena = person; Buenos Aires = place",
    "Liam's teacher, Ms. Okonkwo, called me.": "Liam = person; Okonkwo = person",
    "I listen to the podcast 'Slow Rivers' every week.": "Slow Rivers = work",
    "We met at Glastonbury Festival in 2019.": "Glastonbury Festival = event",
    "Call me when you get home.": "",
    "My manager at Acme Corp is Dana Whitfield.": "Acme Corp = organization;"
    " Dana Whitfield = person",
    "I think Will is late.": "Will = person",
    "Will you come to the party?": "",
    "Mark Hollis wrote to me.": "Mark Hollis = person",
    "Therapy helped a lot.": "",
    "The White House confirmed it.": "White House = place",
    "O'Brien and McDonald signed the lease.": "O'Brien = person; McDonald = organization",
    "I am allergic to peanuts, and so is Kenji.": "Kenji = person",
    "We visited the Museum of Modern Art in New York.": "Museum of Modern Art = organization;"
    " New York = place",
    "My daughter Lucía starts at St. Mary's School.": "Lucía = person;"
    " St. Mary's School = organization",
    "In summer we go to Lake Balaton, in winter to the Alps.": "Lake Balaton = place; Alps = place",
    "Paid 40 EUR to Vodafone for internet.": "Vodafone = organization",
    "He moved from Portland, Oregon to Austin, Texas.": "Portland = place; Oregon = place;"
    " Austin = place; Texas = place",
    "Invite Marta, Zoltan, Priya and Tom.": "Marta = person; Zoltan = person; Priya = person;"
    " Tom = person",
    "I started learning Rust and Go this year.": "Rust = thing; Go = thing",
}

GERMAN = {
    "Gestern war ich mit Frau Müller in Hamburg.": "Müller = person; Hamburg = place",
    "Meine Schwester Clara arbeitet bei Siemens in München.": "Clara = person;"
    " Siemens = organization; München = place",
    "Der Hund hat die Zeitung auf dem Tisch gefressen.": "",
    "Wir fahren im Sommer nach Travemünde.": "Travemünde = place",
    "Jonas sagt, dass er morgen keine Zeit hat.": "Jonas = person",
    "Ich lese gerade das Buch „Die stille Bucht“ von Heinrich Vogt.": "Die stille Bucht = work;"
    " Heinrich Vogt = person",
    "In Zukunft will ich mehr Sport machen und weniger Zucker essen.": "",
    "Die Brandt GmbH hat mir ein Angebot für ein iPad geschickt.": "Brandt GmbH = organization;"
    " iPad = thing",
}
SPANISH = {
    "Ayer cené con Marta Ruiz en Sevilla.": "Marta Ruiz = person; Sevilla = place",
    "Mi hermano trabaja en Telefónica desde mayo.": "Telefónica = organization",
    "El lunes tengo cita con la doctora Ibáñez.": "Ibáñez = person",
    "Nos mudamos a Buenos Aires en 2020.": "Buenos Aires = place",
    "Me encanta la película «El jardín dormido».": "El jardín dormido = work",
    "No me gusta el café sin azúcar.": "",
    "Javier dijo que viene el viernes.": "Javier = person",
    "Estudio en la Universidad de Salamanca.": "Universidad de Salamanca = organization",
}
FRENCH = {
    "Hier j'ai mangé avec Camille à Lyon.": "Camille = person; Lyon = place",
    "Ma soeur travaille chez Renault depuis deux ans.": "Renault = organization",
    "Je préfère le thé au café.": "",
    "Madame Lefèvre habite à Bordeaux.": "Lefèvre = person; Bordeaux = place",
    "Nous avons visité le Musée d'Orsay.": "Musée d'Orsay = organization",
    "C'est l'anniversaire de Théo samedi.": "Théo = person",
    "J'ai lu le roman « La Maison du Lac » deux fois.": "La Maison du Lac = work",
    "Aujourd'hui il pleut encore.": "",
}
ITALIAN = {
    "Ieri ho cenato con Giulia a Bologna.": "Giulia = person; Bologna = place",
    "Mio fratello lavora alla Ferrari.": "Ferrari = organization",
    "Il signor Bianchi abita vicino a Torino.": "Bianchi = person; Torino = place",
    "Preferisco il tè al caffè.": "",
    "Studio all'Università di Padova.": "Università di Padova = organization",
    "Andiamo in Sardegna ad agosto con Luca e Chiara.": "Sardegna = place; Luca = person;"
    " Chiara = person",
    'Sto leggendo il libro "Il Fiume Lento".': "Il Fiume Lento = work",
    "Domani devo comprare il pane.": "",
}
PORTUGUESE = {
    "Ontem jantei com a Mariana em Braga.": "Mariana = person; Braga = place",
    "O meu irmão trabalha na Galp desde janeiro.": "Galp = organization",
    "A doutora Teixeira ligou de manhã.": "Teixeira = person",
    "Não gosto de café sem açúcar.": "",
    "Estudei na Universidade do Minho.": "Universidade do Minho = organization",
    "Vamos ao Rio de Janeiro em fevereiro.": "Rio de Janeiro = place",
    "O Duarte disse que chega amanhã.": "Duarte = person",
    "Li o livro «A Casa da Praia» nas férias.": "A Casa da Praia = work",
}
DUTCH = {
    "Gisteren at ik met Lieke in Utrecht.": "Lieke = person; Utrecht = place",
    "Mijn broer werkt bij Philips in Eindhoven.": "Philips = organization; Eindhoven = place",
    "Mevrouw de Vries belt morgen terug.": "de Vries = person",
    "Ik drink liever thee dan koffie.": "",
    "We gaan in de zomer naar Terschelling.": "Terschelling = place",
    "Sander zegt dat hij later komt.": "Sander = person",
    "Zij studeert aan de Universiteit Leiden.": "Universiteit Leiden = organization",
    "Vandaag is het weer mooi weer.": "",
}

LANGUAGES = {
    "en": ENGLISH,
    "de": GERMAN,
    "es": SPANISH,
    "fr": FRENCH,
    "it": ITALIAN,
    "pt": PORTUGUESE,
    "nl": DUTCH,
}

UNSEEN = {
    "en": {
        "Our plumber, Gregor Thornbury, fixed the sink on Wednesday.": "Gregor Thornbury = person",
        "I finally booked the ferry from Split to Hvar.": "Split = place; Hvar = place",
        "Ordered a new kettle from Brightwell Home.": "Brightwell Home = organization",
        "Nobody told Imogen that the class was cancelled.": "Imogen = person",
        "My grandmother was born in Trieste and raised in Buenos Aires.": "Trieste = place;"
        " Buenos Aires = place",
        "The landlord wants the rent by Friday.": "",
        "We keep the spare key with Mr. Abernathy next door.": "Abernathy = person",
        "Saw Hollow Pines at the Roxy Theatre with Mateo.": "Hollow Pines = work;"
        " Roxy Theatre = place; Mateo = person",
        "I switched from Chrome to Firefox last month.": "Chrome = thing; Firefox = thing",
        "Pilates on Tuesday, swimming on Thursday.": "",
        "The doctor prescribed Amoxicillin for ten days.": "Amoxicillin = thing",
        "Does Petra still work for the European Space Agency?": "Petra = person;"
        " European Space Agency = organization",
        "Reminder: parents' evening at Elmwood Primary School.": "Elmwood Primary School ="
        " organization",
        "She supports Benfica, and he supports Sporting.": "Benfica = organization;"
        " Sporting = organization",
        "It was raining, so we stayed home and watched a movie.": "",
        "Kwame's flight from Accra lands at noon.": "Kwame = person; Accra = place",
        "I am reading Middlemarch for my book club.": "Middlemarch = work",
        "Hiking in the Dolomites was the best part of the year.": "Dolomites = place",
        "Let's ask Yasmin or Tobias for a lift.": "Yasmin = person; Tobias = person",
        "The new Dyson is louder than my old Miele.": "Dyson = thing; Miele = thing",
        "Running is my favorite hobby.": "",
        "Send the slides to Beatrix before the Helsinki workshop.": "Beatrix = person;"
        " Helsinki = place",
    },
    "de": {
        "Am Wochenende besuchen wir Tante Gerda in Lübeck.": "Gerda = person; Lübeck = place",
        "Der Arzt hat mir neue Tabletten verschrieben.": "",
        "Ich arbeite seit Januar bei Lufthansa.": "Lufthansa = organization",
        "Matthias hat gestern mein Fahrrad repariert.": "Matthias = person",
    },
    "es": {
        "Mañana viajo a Zaragoza con mi prima Lucía.": "Zaragoza = place; Lucía = person",
        "El médico me dijo que descanse.": "",
        "Compré un Seat usado en Valencia.": "Seat = thing; Valencia = place",
        "Trabajo con Alejandro en el Banco Central.": "Alejandro = person;"
        " Banco Central = organization",
    },
    "fr": {
        "Mon frère Antoine étudie à Grenoble.": "Antoine = person; Grenoble = place",
        "Le médecin m'a dit de me reposer.": "",
        "J'ai acheté une Peugeot à Monsieur Caron.": "Peugeot = organization; Caron = person",
        "Nous partons en Bretagne avec Hélène.": "Bretagne = place; Hélène = person",
    },
    "it": {
        "Mia sorella Elisa vive a Palermo.": "Elisa = person; Palermo = place",
        "Il medico mi ha detto di riposare.": "",
        "Domani vedo Matteo alla Stazione Centrale.": "Matteo = person; Stazione Centrale = place",
        "Ho comprato una Vespa da Paolo.": "Vespa = thing; Paolo = person",
    },
    "pt": {
        "A minha irmã Inês vive em Coimbra.": "Inês = person; Coimbra = place",
        "O médico disse-me para descansar.": "",
        "Comprei um Renault ao senhor Peixoto.": "Renault = organization; Peixoto = person",
        "Amanhã vou a Setúbal com o Gonçalo.": "Setúbal = place; Gonçalo = person",
    },
    "nl": {
        "Mijn zus Anouk woont in Groningen.": "Anouk = person; Groningen = place",
        "De dokter zei dat ik moet rusten.": "",
        "Morgen ga ik met Bram naar Antwerpen.": "Bram = person; Antwerpen = place",
        "Ik heb een fiets gekocht bij Decathlon.": "Decathlon = organization",
    },
}
