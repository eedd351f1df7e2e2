"""What the pieces of an entry's heading are: a title, an employer, a school, a degree, a place."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import regex

from storage.places import countries_of, country_named, is_place, is_state
from storage.search.folding import fold

_TITLES: Final = (
    "engineer engineering developer manager director architect analyst scientist consultant "
    "intern "
    "internship lead leader head chief officer president founder cofounder designer researcher "
    "administrator specialist assistant associate programmer coordinator technician tester devops "
    "sre owner advisor adviser strategist writer editor teacher lecturer professor tutor trainer "
    "instructor fellow postdoc student trainee apprentice freelancer freelance contractor "
    "recruiter "
    "accountant auditor nurse physician doctor lawyer attorney paralegal clerk cashier secretary "
    "executive supervisor operator representative agent buyer planner controller chef cook waiter "
    "waitress barista driver mechanic electrician carpenter plumber pharmacist therapist dentist "
    "psychologist economist statistician mathematician physicist chemist biologist geologist "
    "ceo cto cfo coo cio ciso cpo cmo vp evp svp partner principal member volunteer mentor "
    "maintainer contributor evangelist advocate ambassador expert master superintendent foreman "
    "journalist translator interpreter photographer illustrator animator artist producer "
    "librarian "
    "marketer salesperson seller dispatcher bookkeeper treasurer actuary underwriter broker "
    "trader "
    "curator counsel judge surveyor draftsman modeler integrator estimator inspector investigator "
    "swe sde sdet qa pm scrum coach steward host guard officer caregiver worker "
    "entwickler entwicklerin softwareentwickler softwareentwicklerin ingenieur ingenieurin leiter "
    "leiterin teamleiter teamleiterin berater beraterin praktikant praktikantin praktikum "
    "werkstudent "
    "werkstudentin mitarbeiter mitarbeiterin geschäftsführer geschäftsführerin projektleiter "
    "projektleiterin projektmanager sachbearbeiter sachbearbeiterin informatiker fachinformatiker "
    "informatikerin forscher assistent assistentin referent referentin verkäufer verkäuferin "
    "auszubildender auszubildende lehrer lehrerin techniker technikerin buchhalter buchhalterin "
    "softwarearchitekt softwareingenieur systemadministrator abteilungsleiter abteilungsleiterin "
    "gründer gründerin produktmanager produktmanagerin analystin programmierer doktorand "
    "doktorandin "
    "kaufmann kauffrau krankenpfleger krankenschwester pflegefachkraft hilfskraft aushilfe "
    "ingénieur ingénieure développeur développeuse responsable directeur directrice chef cheffe "
    "stagiaire alternant alternante consultante chargé chargée technicien technicienne gérant "
    "assistante chercheur chercheuse enseignant enseignante professeur architecte analyste "
    "administrateur administratrice comptable vendeur vendeuse concepteur conceptrice apprenti "
    "fondateur fondatrice conseiller conseillère infirmier infirmière doctorant doctorante "
    "ingeniero ingeniera desarrollador desarrolladora director directora jefe jefa gerente "
    "analista consultor consultora becario becaria técnico técnica profesor profesora "
    "investigador "
    "investigadora arquitecto arquitecta programador programadora administrador administradora "
    "asistente auxiliar encargado encargada diseñador diseñadora coordinador coordinadora "
    "fundador fundadora contable vendedor vendedora enfermero enfermera practicante "
    "ingegnere sviluppatore sviluppatrice responsabile direttore direttrice consulente "
    "tirocinante "
    "tecnico programmatore programmatrice ricercatore ricercatrice architetto assistente stagista "
    "docente insegnante impiegato impiegata commesso contabile fondatore capo progettista "
    "amministratore sistemista infermiere infermiera "
    "engenheiro engenheira desenvolvedor desenvolvedora diretor diretora coordenador coordenadora "
    "estagiário estagiária pesquisador pesquisadora professora arquiteto gestor gestora "
    "supervisor designer vendedor líder enfermeiro enfermeira bolseiro "
    "ontwikkelaar softwareontwikkelaar adviseur medewerker stagiair projectleider directeur "
    "teamleider hoofd beheerder docent onderzoeker ontwerper verkoper promovendus oprichter "
    "utvecklare ingenjör utvikler ingeniør udvikler kehittäjä programista inżynier kierownik "
    "vývojář mühendis mühendisi geliştirici yazılımcı stajyer разработчик инженер программист "
    "менеджер руководитель аналитик директор специалист"
)
_TITLE_WORDS: Final = frozenset(fold(_TITLES).split())
_CJK_TITLE: Final = regex.compile(
    r"工程师|经理|总监|主管|架构师|实习|研究员|开发|エンジニア|部長|課長|개발자|엔지니어|매니저"
)
_SUFFIX: Final = regex.compile(
    r"(?:ingenieur|entwickler|leiter|berater|manager|referent|assistent|kraft|techniker|beheerder"
    r"|ontwikkelaar|adviseur|utvecklare|ingenjor|konsult|chef|administrator|architekt|analyst|"
    r"spezialist|koordinator|engineer|developer|angestellte|beauftragte)(?:in|r|:in|"
    r"\*in|/in"
    r"|/-in|\(in\)|en)?"
)
_COMPANY: Final = regex.compile(
    r"\b(?:inc|llc|ltd|limited|gmbh|corp|corporation|company|co|plc|bv|nv|oy|oyj|aps|asa|kg|kgaa"
    r"|sarl|sas|srl|spa|slu|sl|lda|ltda|pty|pte|pvt|technologies|technology|solutions|systems"
    r"|software|labs?|group|gruppe|groupe|grupo|gruppo|bank|partners|consulting|services|"
    r"studios?|holdings?"
    r"|university|universitat|universite|universidad|universita|universidade|universiteit|"
    r"institute|institut|college"
    r"|school|hospital|ministry|agency|foundation|industries|logistics|media|networks?|"
    r"ventures|ag|ab|se"
    r"|works|werke|council|association|society|center|centre|clinic|klinik|klinikum|library|"
    r"museum)\b\.?"
    r"|\b[as]/?s\b|\bs\.a\.|\bs\.r\.l\.|\bs\.p\.a\.|\be\.v\.|\bb\.v\.|公司|集团|株式会社|大学|银行|주식회사"
)
_SCHOOL: Final = regex.compile(
    r"universi|univ\b|college|school|institut|academy|akademie|academie|hochschule|gymnasium|"
    r"lycee|lyceum"
    r"|ecole|escuela|instituto|colegio|scuola|liceo|politecnic|politecnico|polytechni|"
    r"faculdade|escola|faculty"
    r"|facultad|faculte|fakultat|school|schule|kolleg|\b(?:fh|tu|eth|epfl|mit|ucla|hec|iut|"
    r"insa|uc|th|kth|dtu|ntnu|tum|kit)\b"
    r"|universitet|yliopisto|uniwersytet|politechnika|univerzita|liceum|hogeschool|academia|"
    r"bootcamp|campus"
    r"|университет|институт|академия|大学|学院|学校|高校|대학교|대학|高等学校"
)
_DEGREE: Final = regex.compile(
    r"\b(?:bachelors?|masters?|ph\.?\s?d|doctor(?:ate|al)?(?: of)?|b\.?\s?sc|m\.?\s?sc|"
    r"b\.?\s?tech|m\.?\s?tech|b\.?\s?eng"
    r"|m\.?\s?eng|mba|m\.b\.a|b\.?\s?a|m\.?\s?a|b\.?\s?s|m\.?\s?s|b\.?\s?e|b\.?\s?com|"
    r"m\.?\s?com|bba|llb|ll\.b|llm|ll\.m|j\.?d|m\.?d"
    r"|m\.?\s?phil|d\.?\s?phil|associate(?:'s)? (?:degree|of)|diploma|degree|high school|"
    r"secondary|a-levels?|gcse|ged"
    r"|minor in|major in|honou?rs|b\.?f\.?a|m\.?f\.?a|b\.?c\.?a|m\.?c\.?a|postgraduate|"
    r"undergraduate|nanodegree"
    r"|diplom(?:[\w-]*)|magister|staatsexamen|abitur|matura|promotion|ausbildung|fachabitur|"
    r"fachhochschulreife|allgemeine hochschulreife|umschulung|realschulabschluss|dr\.? rer\.? "
    r"nat"
    r"|licence|licence pro\w*|maitrise|doctorat|baccalaureat|bac|dut|bts|dess|dea|ingenieur "
    r"diplome|diplome(?: d'ingenieur)?"
    r"|grado|licenciatura|licenciad[oa]|doctorado|bachillerato|ingenieria|titulo|tecnico "
    r"superior|maestria|mestrado|bacharelado|graduacao|doutorado|tecnologo|pos-graduacao|"
    r"bacharel"
    r"|laurea(?: triennale| magistrale)?|dottorato|diploma di|maturita|perito"
    r"|hbo|vwo|havo|mbo|wo|propedeuse|doctoraal|kandidat\w*|civilingenjor|magisterexamen|"
    r"kandidatexamen|licencjat|inzynier|magistr|lisans|yuksek lisans)\b"
    r"|学士|硕士|博士|本科|修士|학사|석사|박사|бакалавр|магистр"
)
_ROLE_AT: Final = regex.compile(
    r"\s+(?:at|@)\s+|\s+(?:bei|chez|en|presso|na|no|bij|hos|für|for|w)\s+(?=[\p{Lu}\d\p{Lo}])"
)
_REMOTE: Final = regex.compile(
    r"(?:fully |100% )?(?:remote|remoto|hybrid|on-?site|télétravail|homeoffice|home office|"
    r"worldwide)"
    r"(?:\s*[(,–-].{0,40})?"
)
_AREA: Final = regex.compile(
    r"\b(?:area|region|county|province|bay|greater|metropolitan|metro|raum|und umgebung|état|"
    r"y alrededores|e arredores|omgeving)\b"
)
_DIGIT: Final = regex.compile(r"\d")
_NOT_IN_PLACES: Final = regex.compile(r"[@:;/!?]|\d{6}")
_CODE: Final = regex.compile(r"^(?:[A-Z]{1,2}-)?\d{4,6}\s+|\s+\d{4,6}(?:-\d{3,4})?$")
_AREA_WORDS: Final = regex.compile(r"(?i)\b(?:greater|area|metropolitan|metro|region|raum)\b")
_IN_BRACKETS: Final = regex.compile(r"(.+?)\s*\(([^()]+)\)")
_WORDS: Final = regex.compile(r"[\p{L}\p{M}:*]+")
_STATES: Final = regex.compile(
    r"A[LKZR]|C[AOT]|D[EC]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|RI|"
    r"S[CD]|T[NX]|UT|V[TA]|W[AVIY]"
    r"|ON|QC|BC|AB|NSW|VIC|QLD|UK|US|UAE|[A-Z]{2}"
)


def is_title(text: str) -> bool:
    """Whether a text has a word that job titles have.

    >>> [is_title(each) for each in ("Software Engineer", "Leiterin IT", "Acme GmbH", "工程师")]
    [True, True, False, True]
    """
    return title_at(text) is not None


def title_at(text: str) -> int | None:
    """Which word of a text is one of a title."""
    if _CJK_TITLE.search(text):
        return 0
    words = _WORDS.findall(fold(text))
    for place, word in enumerate(words):
        if {word, word.rstrip("s"), word.removesuffix("in")} & _TITLE_WORDS or _SUFFIX.search(word):
            return place
    return None


def is_company(text: str) -> bool:
    """Whether a text has a word that names of companies and institutions have.

    >>> is_company("Acme Inc."), is_company("Universität Bonn"), is_company("Developer")
    (True, True, False)
    """
    return _COMPANY.search(fold(text)) is not None


def is_school(text: str) -> bool:
    """Whether a text names a school.

    >>> is_school("TU München"), is_school("École Polytechnique"), is_school("Bachelor of Arts")
    (True, True, False)
    """
    return _SCHOOL.search(fold(text)) is not None


def is_degree(text: str) -> bool:
    """Whether a text names a degree.

    >>> is_degree("B.Sc. Informatik"), is_degree("University of Bath")
    (True, False)
    """
    return _DEGREE.search(fold(text)) is not None


@lru_cache(maxsize=4096)
def is_place_text(text: str) -> bool:
    """Whether a text is nothing but a place: its last part is known, or it is work from home.

    >>> [is_place_text(each) for each in ("Oslo, Norway", "Pune, Maharashtra, India", "Remote")]
    [True, True, True]
    >>> is_place_text("杭州, 中国"), is_place_text("杭州")
    (True, True)
    >>> [is_place_text(each) for each in ("Python, Go", "San Francisco Bay Area", "Nice Ltd")]
    [False, True, False]
    """
    text = text.strip(" .()")
    if not text or len(text) > 80 or _NOT_IN_PLACES.search(text):
        return False
    parts = [part for each in text.split(",") if (part := _without_code(each))]
    if _REMOTE.fullmatch(fold(text)):
        return True
    if not 1 <= len(parts) <= 4 or is_title(parts[0]) or is_company(parts[0]):
        return False
    return _is_one_place(parts[0]) if len(parts) == 1 else _are_one_place(parts)


def _is_one_place(name: str) -> bool:
    return _known(name) or bool(_AREA.search(fold(name)) and _known_inside(name))


def _are_one_place(parts: Sequence[str]) -> bool:
    """City, region, country: only the last of them needs to be known."""
    if any(map(_DIGIT.search, parts)):
        return False
    first, last = parts[0], parts[-1]
    if country_named(last) is not None:
        return first[:1].isupper() or _HAN.fullmatch(first) is not None
    if is_state(last, of=first) or (_STATES.fullmatch(last) and is_place(first)):
        return True
    return all(map(_known, parts))


def _without_code(text: str) -> str:
    """A part of an address without its postal code."""
    return _CODE.sub("", text.strip()).strip()


def _known(text: str) -> bool:
    """A city or country by name; small words of a language are rather these words."""
    return (
        ((len(text) > 2 and text[:1].isupper()) or _HAN.fullmatch(text) is not None)
        and fold(text) not in _NO_PLACES
        and (bool(countries_of(text)) or country_named(text) is not None)
    )


_HAN: Final = regex.compile(r"\p{Han}{2,5}|\p{Hangul}{2}")
_NO_PLACES: Final = frozenset({
    "bar", "bath", "best", "go", "java", "mobile", "most", "nice", "of", "reading", "rust", "split",
})  # fmt: skip


def _known_inside(text: str) -> bool:
    words = _AREA_WORDS.sub(" ", text).split()
    return any(_known(" ".join(words[:count])) for count in range(1, len(words) + 1))


def split_at(text: str) -> tuple[str, str] | None:
    """A title and whom it was held at, where the text says so.

    >>> split_at("Engineer at Acme"), split_at("Entwickler bei Nordlys"), split_at("Look at This")
    (('Engineer', 'Acme'), ('Entwickler', 'Nordlys'), None)
    """
    for match in _ROLE_AT.finditer(text):
        before, after = text[: match.start()].strip(), text[match.end() :].strip()
        if before and after and is_title(before):
            return before, after
    return None


def place_at_end(text: str) -> tuple[str, str | None]:
    """A text without the place that it ends in, and the place.

    >>> place_at_end("Acme, Inc., Oslo, Norway"), place_at_end("Acme (Berlin)")
    (('Acme, Inc.', 'Oslo, Norway'), ('Acme', 'Berlin'))
    """
    bracket = _IN_BRACKETS.fullmatch(text)
    if bracket and is_place_text(bracket[2]):
        return bracket[1], bracket[2]
    parts = text.split(",")
    for first in range(1, len(parts)):
        place = ",".join(parts[first:]).strip()
        if is_place_text(place):
            return ",".join(parts[:first]).strip(), place
    return text, None
