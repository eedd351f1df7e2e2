"""Headings of a résumé's sections, in the languages that recruiters meet."""

from enum import Enum
from typing import Final

import regex

from storage.search.folding import fold


class Section(Enum):
    """What a section of a résumé tells of; OTHER is known and not read."""

    SUMMARY = "summary"
    EXPERIENCE = "experience"
    EDUCATION = "education"
    SKILLS = "skills"
    LANGUAGES = "languages"
    PROJECTS = "projects"
    PUBLICATIONS = "publications"
    CERTIFICATES = "certificates"
    CONTACT = "contact"
    OTHER = "other"


_NAMES: Final = {
    Section.SUMMARY: (
        "summary|professional summary|executive summary|career summary|profile summary|profile"
        "|professional profile|personal profile|about|about me|objective|career objective"
        "|personal statement|overview|career profile|summary of qualifications|introduction"
        "|resume objective|bio|biography|summary and objective"
        "|profil|kurzprofil|über mich|zusammenfassung|persönliches profil|zur person|berufsprofil"
        "|profil professionnel|à propos|à propos de moi|résumé|présentation|objectif"
        "|perfil|perfil profesional|resumen|resumen profesional|sobre mí|extracto|objetivo"
        "|acerca de mí|profilo|profilo professionale|profilo personale|chi sono|riepilogo|sommario"
        "|obiettivo|informazioni|resumo|resumo profissional|sobre mim|sobre|perfil profissional"
        "|profiel|persoonlijk profiel|samenvatting|over mij|om mig|profil osobisty|sammanfattning"
        "|обо мне|о себе|个人简介|自我评价|自己pr|職務要約"
    ),
    Section.EXPERIENCE: (
        "experience|work experience|professional experience|employment|employment history|career"
        "|work history|career history|relevant experience|job experience|positions|positions held"
        "|professional background|industry experience|working experience|experiences|work"
        "|professional history|previous employment|internships|internship experience|internship"
        "|research experience|teaching experience|selected experience|volunteer work experience"
        "|engineering experience|technical experience|professional experiences|work experiences"
        "|academic experience|employment experience|career experience|additional experience"
        "|other experience|professional employment|current position|academic positions"
        "|academic appointments|appointments|relevant work experience|industrial experience"
        "|berufserfahrung|berufliche erfahrung|beruflicher werdegang|werdegang|praxiserfahrung"
        "|berufspraxis|praktika|arbeitserfahrung|berufliche stationen|berufliche laufbahn"
        "|berufstätigkeit|erfahrung|erfahrungen|praktische erfahrung"
        "|expérience|expériences|expérience professionnelle|expériences professionnelles"
        "|parcours professionnel|parcours|stages|emplois|carrière"
        "|experiencia|experiencia laboral|experiencia profesional|trayectoria profesional"
        "|experiencias|experiencias profesionales|historial laboral|trayectoria|prácticas"
        "|esperienza|esperienze|esperienza professionale|esperienze professionali"
        "|esperienza lavorativa|esperienze lavorative|tirocini"
        "|experiência|experiência profissional|experiências profissionais|histórico profissional"
        "|experiências|percurso profissional|experiência laboral|estágios"
        "|ervaring|werkervaring|relevante werkervaring|loopbaan|arbeidsverleden|stages"
        "|professionele ervaring|arbetslivserfarenhet|erfarenhet|erhvervserfaring|arbeidserfaring"
        "|työkokemus|doświadczenie|doświadczenie zawodowe|praxe|pracovní zkušenosti|iş deneyimi"
        "|deneyim|опыт работы|опыт|досвід роботи|工作经历|工作经验|職務経歴|職歴|경력|경력사항"
    ),
    Section.EDUCATION: (
        "education|educational background|academic background|education and training|academics"
        "|education & training|academic qualifications|educational qualifications|academic history"
        "|education and qualifications|qualifications|studies|academic education|schooling"
        "|educational qualification|academic qualification|formal education|degrees"
        "|ausbildung|bildung|bildungsweg|studium|schulbildung|akademische ausbildung|bildungsgang"
        "|akademischer werdegang|hochschulbildung|schulausbildung|aus- und weiterbildung"
        "|studium und ausbildung|ausbildung und studium|schule"
        "|formation|formations|diplômes|éducation|études|cursus|parcours académique|scolarité"
        "|formation académique|diplômes et formations|formation et diplômes"
        "|educación|formación|formación académica|estudios|historial académico"
        "|formación y estudios|titulaciones"
        "|istruzione|istruzione e formazione|formazione|formazione accademica|studi|titoli di "
        "studio"
        "|educação|formação|formação académica|formação acadêmica|escolaridade|estudos|"
        "habilitações"
        "|habilitações literárias|educação e formação"
        "|opleiding|opleidingen|onderwijs|studie|opleiding en cursussen|educatie"
        "|utbildning|uddannelse|utdanning|koulutus|edukacja|wykształcenie|vzdělání|eğitim"
        "|образование|освіта|教育经历|教育背景|学历|学歴|학력|학력사항"
    ),
    Section.SKILLS: (
        "skills|technical skills|key skills|core skills|core competencies|competencies|"
        "technologies"
        "|professional skills|expertise|areas of expertise|technical expertise|tools|tech stack"
        "|skills & expertise|skills and expertise|top skills|it skills|computer skills|hard skills"
        "|soft skills|technical proficiencies|technical competencies|strengths|skill set|skillset"
        "|skills & tools|skills and tools|skills and technologies|technical summary|software"
        "|programming languages|programming skills|specialties|specialities|key competencies"
        "|technical knowledge|skills summary|tools and technologies|tools & technologies"
        "|skills & technologies|technical skill|programming|additional skills|relevant skills"
        "|core strengths|featured skills|digital skills|frameworks|skills & abilities"
        "|kenntnisse|fähigkeiten|fachkenntnisse|kompetenzen|it-kenntnisse|edv-kenntnisse"
        "|technische kenntnisse|technische fähigkeiten|kernkompetenzen|top-kenntnisse|fertigkeiten"
        "|kenntnisse und fähigkeiten|fähigkeiten und kenntnisse|edv|besondere kenntnisse"
        "|fachliche kompetenzen|programmierkenntnisse|technologien|qualifikationen"
        "|compétences|compétences techniques|principales compétences|compétences clés|savoir-faire"
        "|outils|informatique|compétences informatiques|technologies et outils"
        "|aptitudes|aptitudes principales|habilidades|competencias|conocimientos|habilidades "
        "técnicas"
        "|competencias técnicas|conocimientos técnicos|tecnologías|informática|herramientas"
        "|conocimientos informáticos"
        "|competenze|competenze tecniche|competenze principali|capacità|abilità|competenze "
        "digitali"
        "|competenze informatiche|capacità e competenze|conoscenze informatiche|tecnologie"
        "|competências|principais competências|competências técnicas|conhecimentos|aptidões"
        "|conhecimentos técnicos|habilidades e competências|tecnologias|ferramentas"
        "|vaardigheden|competenties|belangrijkste vaardigheden|kennis|technische vaardigheden"
        "|it-vaardigheden|computervaardigheden|vakkennis"
        "|färdigheter|kunskaper|kompetenser|kompetencer|kompetanse|ferdigheter|taidot|osaaminen"
        "|umiejętności|dovednosti|beceriler|yetenekler|навыки|ключевые навыки|навички"
        "|专业技能|技能|スキル|기술|기술스택"
    ),
    Section.LANGUAGES: (
        "languages|language skills|spoken languages|language|linguistic skills|language "
        "proficiency"
        "|languages known|foreign languages"
        "|sprachen|sprachkenntnisse|langues|langues étrangères|compétences linguistiques|idiomas"
        "|lenguas|lingue|lingue straniere|conoscenze linguistiche|competenze linguistiche|línguas"
        "|competências linguísticas|talen|talenkennis|språk|språkkunskaper|sprog|kielitaito|kielet"
        "|języki|języki obce|znajomość języków|jazyky|diller|yabancı dil|языки|знание языков|мови"
        "|语言|语言能力|語学|외국어"
    ),
    Section.PROJECTS: (
        "projects|project|personal project|personal projects|side projects|selected projects|"
        "academic projects|key projects"
        "|open source|open source projects|open-source projects|open source contributions"
        "|relevant projects|research projects|technical projects|notable projects|project "
        "experience"
        "|projekte|projets|projets personnels|proyectos|proyectos personales|progetti|projetos"
        "|projecten|projekt|projekter|projekty|проекты|项目经历|项目经验|プロジェクト|프로젝트"
    ),
    Section.PUBLICATIONS: (
        "publications|selected publications|papers|research papers|publications and talks"
        "|journal articles|conference papers|publikationen|veröffentlichungen|publicaciones"
        "|pubblicazioni|publicações|publicaties|publikationer|publikasjoner|julkaisut|publikacje"
        "|публикации|论文"
    ),
    Section.CERTIFICATES: (
        "certifications|certificates|certification|licenses & certifications|licenses"
        "|licenses and certifications|certifications and licenses|professional certifications"
        "|courses and certifications|certifications & courses|certifications and training"
        "|licences|licences and certifications|professional certification|accreditations"
        "|training and certifications|certificates and courses|courses & certifications"
        "|trainings & certifications|certifications & training"
        "|professional registration|professional registrations|registration|registrations"
        "|zertifikate|zertifizierungen|bescheinigungen|weiterbildung und zertifikate"
        "|weiterbildungen|weiterbildung|certificats|certifications et formations"
        "|certificaciones|certificados|certificazioni|certificati|certificações"
        "|certificaten|certificeringen|certifikat|certifikater|sertifikater|sertifikaatit"
        "|certyfikaty|certifikáty|sertifikalar|сертификаты|证书|資格|자격증"
    ),
    Section.CONTACT: (
        "contact|contact information|contact details|personal details|personal information|"
        "contacts"
        "|personal data|get in touch|links|contact me|find me online|social|social networks|"
        "profiles"
        "|kontakt|kontaktdaten|persönliche daten|persönliche angaben|angaben zur person|anschrift"
        "|coordonnées|coordonnées personnelles|informations personnelles|état civil|coordonnees"
        "|contacto|datos personales|datos de contacto|información de contacto|contactar"
        "|contatti|recapiti|informazioni personali|dati personali|contato|contacto|dados pessoais"
        "|contatos|informações pessoais|contactgegevens|persoonlijke gegevens|persoonlijke "
        "informatie"
        "|personalia|kontaktuppgifter|kontaktinformation|yhteystiedot|dane osobowe|dane kontaktowe"
        "|kontaktní údaje|osobní údaje|kişisel bilgiler|iletişim|контакты|контактная информация"
        "|личная информация|联系方式|基本信息|个人信息|基本情報|인적사항"
    ),
    Section.OTHER: (
        "references|references available upon request|referees|interests|hobbies|personal "
        "interests"
        "|hobbies and interests|interests and hobbies|hobbies & interests|awards|honors|honours"
        "|awards and honors|honors and awards|honors & awards|honors-awards|awards & honors"
        "|achievements|accomplishments|activities|extracurricular activities|volunteering|patents"
        "|volunteer experience|volunteer|volunteer work|courses|coursework|relevant coursework"
        "|memberships|affiliations|professional memberships|professional affiliations|additional"
        "|additional information|other|miscellaneous|talks|presentations|training|trainings"
        "|military service|scholarships|test scores|recommendations|organizations|causes|"
        "declaration"
        "|leadership|community|teaching|professional development|service|extracurricular activity"
        "|honors & scholarships|conferences|invited talks|signature|key achievements|hackathons"
        "|presentation|writing|program committees|committees|grants|fellowships|seminars|workshops"
        "|referenzen|interessen|hobbys|hobbies|ehrenamt|engagement|auszeichnungen|sonstiges|preise"
        "|ehrenamtliches engagement|interessen und hobbys|freizeit|kurse|stipendien|vorträge"
        "|bewerbung|anlagen|wehrdienst|zivildienst|auslandsaufenthalte|patente|führerschein"
        "|références|centres d'intérêt|loisirs|intérêts|bénévolat|distinctions|prix|divers|autres"
        "|activités|centres d'intérêts|expériences associatives|vie associative|brevets"
        "|referencias|intereses|aficiones|voluntariado|premios|otros|otros datos|cursos|patentes"
        "|información adicional|logros|otros datos de interés|reconocimientos"
        "|referenze|interessi|hobby|volontariato|premi|altro|corsi|riconoscimenti|brevetti"
        "|ulteriori informazioni|patente di guida|patente|altre informazioni"
        "|referências|interesses|voluntariado|prêmios|prémios|outros|outras informações"
        "|atividades|atividades complementares|informações adicionais|conquistas|honors e awards"
        "|referenties|interesses|vrijwilligerswerk|prijzen|overig|overige|cursussen|"
        "nevenactiviteiten"
        "|onderscheidingen|intressen|referenser|interesser|referanser|harrastukset|zainteresowania"
        "|zájmy|ilgi alanları|referanslar|хобби|интересы|рекомендации"
        "|兴趣爱好|获奖情况|荣誉奖项|趣味"
        "|hard facts|on campus involvement|campus involvement|involvement|international "
        "awards|domestic awards|program committees"
    ),
}
_DECORATION: Final = regex.compile(r"^[\W_]*(?:\d{1,2}[\W_]+)?(?!\d)|[\W_]+$")
_JOINED: Final = regex.compile(
    r"\s*(?:&|/|\+|,|·|\||\band\b|\bund\b|\bet\b|\by\b|\be\b|\ben\b|\bi\b|\boch\b)\s*"
)


def _table() -> dict[str, Section]:
    table: dict[str, Section] = {}
    for section, names in _NAMES.items():
        for name in names.split("|"):
            table.setdefault(fold(name), section)
    return table


_SECTIONS: Final = _table()
_LONGEST: Final = 60


def heading_of(text: str) -> Section | None:
    """The section that a line begins, None for a line that is no heading.

    >>> heading_of("WORK EXPERIENCE:"), heading_of("3. Ausbildung"), heading_of("Education 2019")
    (<Section.EXPERIENCE: 'experience'>, <Section.EDUCATION: 'education'>, None)
    >>> heading_of("Skills & Languages"), heading_of("E X P E R I E N C E"), heading_of("Skilled")
    (<Section.SKILLS: 'skills'>, <Section.EXPERIENCE: 'experience'>, None)
    """
    if len(text) > _LONGEST or "@" in text:
        return None
    name = _bare(text)
    if not name:
        return None
    if name not in _SECTIONS and regex.fullmatch(r"(?:\w )+\w", name):
        name = name.replace(" ", "")
    if found := _SECTIONS.get(name):
        return found
    parts = [_SECTIONS.get(each) for each in _JOINED.split(name)]
    if len(parts) > 1 and all(parts):
        return parts[0]
    return _SECTIONS.get(name.replace(" ", "")) if " " in name and len(name) < 30 else None


def _bare(text: str) -> str:
    """A line's words, folded, without its number and what adorns it."""
    return " ".join(_DECORATION.sub("", fold(text)).split())


def is_doubtful(text: str) -> bool:
    """Whether a heading is also a usual word of a list or a title, and needs looks to be one."""
    return _bare(text) in _DOUBTFUL


_DOUBTFUL: Final = frozenset({
    "activities", "additional", "career", "community", "edv", "frameworks", "informatique",
    "kennis", "leadership", "links", "other", "presentation", "profil", "programming",
    "research", "schule", "service", "signature", "social", "software", "stages", "strengths",
    "studie", "teaching", "technologies", "tools", "training", "work", "writing",
})  # fmt: skip
