"""Names borne by so many that a full name made of them says little about who it is."""

from __future__ import annotations

COMMON_SURNAMES = frozenset(
    """
    smith johnson williams brown jones garcia miller davis rodriguez martinez hernandez lopez gonzalez wilson
    anderson
    thomas taylor moore jackson martin lee perez thompson white harris sanchez clark ramirez lewis robinson
    walker young
    allen king wright scott torres nguyen hill flores green adams nelson baker hall rivera campbell mitchell
    carter
    roberts gomez phillips evans turner diaz parker cruz edwards collins reyes stewart morris morales murphy
    cook rogers
    gutierrez ortiz morgan cooper peterson bailey reed kelly howard ramos kim cox ward richardson watson
    brooks chavez
    wood james bennett gray mendoza ruiz hughes price alvarez castillo sanders patel myers long ross foster
    jimenez
    li wong wang yang singh khan ahmed ali kaur davies clarke
    muller schneider fischer becker schulz hofmann schafer koch bauer richter klein wolf schroder neumann
    schwarz
    zimmermann braun kruger hartmann lange werner krause meier lehmann huber mayer
    bernard dubois petit durand leroy moreau laurent simon lefebvre michel garcia roux fournier girard bonnet
    dupont
    rossi russo ferrari esposito bianchi romano colombo ricci marino greco bruno gallo conti deluca costa
    jansen bakker visser smit meijer mulder devries vandijk vandenberg deboer
    ivanov petrov smirnov kuznetsov popov novak kowalski nowak svensson johansson andersson karlsson nilsson
    eriksson
    larsson olsson persson nielsen jensen pedersen christensen olsen
    zhang liu zhao huang zhou wu xu sun ma zhu hu guo he lin gao luo sato suzuki takahashi tanaka watanabe ito
    yamamoto nakamura kobayashi kumar sharma gupta shah das choi jung kang cho yoon
    silva santos oliveira souza pereira lima carvalho ferreira rodrigues almeida costa gomes
    """.split()
)

# With their short forms: names.forms tells those.
COMMON_FIRST_NAMES = frozenset(
    """
    james robert john michael david william richard joseph thomas charles christopher daniel matthew anthony
    mark donald
    steven stephen paul andrew joshua kenneth kevin brian george timothy ronald edward jason jeffrey jeff ryan
    jacob gary
    eric peter mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty
    sandra margaret
    ashley kimberly emily donna michelle carol amanda melissa deborah stephanie rebecca laura sharon cynthia
    kathleen amy
    anna julie maria jose juan carlos luis ali mohammed muhammad ahmed wei anne
    hans klaus wolfgang martin andreas stefan jean pierre michel philippe giuseppe marco jan
    """.split()
)
