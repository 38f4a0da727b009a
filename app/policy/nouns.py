"""Which things may a tool write without an effect outside, which act by themselves, and which are known at all?

The object decides with the verb: creating a note is not creating a refund. Singular, accents folded, four languages.
"""

from typing import Final

from app.policy.word_list import words

# Kept inside the other system, changed again at any time, nobody outside hears of it.
KEPT: Final = words("""
    note notes memo memory observation entity relation node fact knowledge todo task subtask checklist reminder item
    entry row record cell column field sheet spreadsheet worksheet spreadsheets table collection view block section
    paragraph heading slide slides presentation document doc docs page wiki text content outline chapter file folder
    directory notebook diagram chart dashboard report summary template snippet bookmark label tag category color
    card board list sprint cycle epic milestone story backlog portfolio issue ticket bug incident
    contact company lead deal opportunity prospect object property attribute metafield annotation
    activity engagement timesheet hour worklog expense invoice quote estimate proposal
    journal draft idea goal habit workout meal recipe worktree thought step
    envelope association attachment placeholder shape layer frame canvas component variable style formula
    priority description title due estimate custom subpage section line dataset glossary term vocabulary faq
    prompt commonprompt resume cv cover bibliography citation reference flashcard quiz worksheet
    brouillon note tache rappel devis facture fiche contact prospect dossier fichier document texte depense
    intervention liste colonne ligne etiquette rapport resume fournisseur client
    nota tarea recordatorio presupuesto factura ficha contacto carpeta archivo documento texto gasto ingreso lista
    columna fila etiqueta informe cliente proveedor borrador
    notiz aufgabe erinnerung angebot rechnung kontakt ordner datei dokument text ausgabe spalte zeile 
    bericht kunde lieferant entwurf eintrag tabelle
    lead deal customer supplier vendor timer
""")

# Somebody else sees it, somebody gets rights, something runs, money moves, or it cannot be taken back.
ACTS: Final = words("""
    payment payout refund charge transaction transfer withdrawal deposit money fund cash balance wallet bank
    credit debit subscription membership plan price pricing rate discount coupon promotion promo voucher gift loyalty
    checkout order purchase sale trade position stake bid offer auction loan mortgage salary payroll bonus
    tax fee fine tip donation billing mandate iban account beneficiary payee recipient crypto token nft asset
    shipment shipping delivery parcel package return fulfillment dispatch
    message email mail sms chat dm reply response post tweet status comment review
    reaction like thread conversation channel newsletter campaign broadcast announcement notification alert alarm
    letter
    fax call voicemail podcast video livestream stream ad ads advertisement banner listing publication article blog
    press release site website webpage storefront product variant catalog event meeting appointment booking
    reservation invitation invite invitee rsvp calendar webinar room ride trip flight hotel
    visit interview application candidate contract agreement signature consent petition vote poll survey
    user member collaborator admin administrator owner guest participant attendee subscriber follower friend employee
    role permission privilege right access acl policy group usergroup team organization organisation tenant seat
    password passcode secret credential key keys apikey certificate cert oauth sso mfa totp session login
    authentication auth security encryption firewall rule waf whitelist blacklist allowlist blocklist forwarding
    forwarder visibility public privacy sharing share
    webhook hook integration connector connection callback endpoint domain subdomain dns nameserver redirect route
    gateway proxy vpn tunnel port network subnet vpc ip address loadbalancer cdn ssl
    server host machine vm instance nodepool cluster pod container image deployment deploy release build pipeline
    job run workflow automation zap trigger cron schedule function lambda service app environment env
    process daemon database db schema migration index replica replication cache queue topic partition bucket
    volume disk snapshot backup storage vault stack namespace quota limit capacity autoscaling
    setting settings config configuration preference mode flag feature toggle experiment license param parameter
    pr pull merge commit repo repository fork gist
    device light lamp lock door thermostat camera alarm sensor robot heating vehicle car valve switch scene
    command script code query sql shell statement action
    patient medical prescription medication diagnosis dose transfusion
    paiement remboursement virement commande abonnement message courriel mail reunion rendez rdv evenement
    reservation invitation utilisateur membre droit acces motdepasse publication annonce avis commentaire campagne
    prix promotion remise compte boutique produit
    pago reembolso transferencia pedido suscripcion mensaje correo reunion cita evento reserva invitacion usuario
    miembro permiso rol acceso contrasena clave publicacion anuncio comentario campana precio descuento cuenta
    producto
    zahlung erstattung ueberweisung bestellung abo nachricht besprechung termin buchung reservierung einladung
    benutzer nutzer mitglied recht zugang passwort schluessel beitrag anzeige kommentar kampagne preis rabatt konto
    produkt lieferung rolle
""")

# A name that ends with one of these (or, in French and Spanish, begins) and has no verb at all tells something.
TELLS: Final = words("""
    status state info information detail details stat stats statistics statistic metric metrics history log logs
    summary
    overview report reports schema version help doc docs documentation forecast weather availability directory
    analytics
    insight insights usage result results diff tree index indexes metadata capability leaderboard ranking trend trends
    timeline changelog glossary definition synonym news headlines holiday time date direction distance elevation
    timezone total average health uptime suggestions recommendations properties reply replies policy dashboard
    matrix context balance balances screenshot snapshot
    synthese valeur nombre montant moyenne horaires disponibilites statut contexte statistique statistiques
    historique etat solde apercu bilan resume rapport wallet portefeuille meteo
    valor numero promedio disponibilidad horarios estadistica estadisticas historial estado saldo resumen
    informe reporte detalle detalles
    statistik uebersicht bericht verlauf stand kontostand wetter verfuegbarkeit
""")

# After a verb that stands behind a reading one these make it a noun: `get_delete_status` reads.
MAKES_NOUN: Final = words("status history log logs limit limits error errors policy policies permission permissions")

# After a word that may be a verb these make it a noun too: `order_status`, but not `email_report`.
MAKES_TOLD: Final = words("status history info information detail details log logs stats statistics metadata")

# In French and Spanish the thing that is told comes first: `statut_commande`.
TOLD_FIRST: Final = words("statut etat historique contexte solde bilan apercu estado historial saldo resumen detalle")

# Things one marks or sorts without anybody outside hearing of it.
MARKS: Final = words("""
    read unread done complete completed processed seen important starred favorite todo incomplete lu nonlu fait
    leido noleido hecho gelesen ungelesen erledigt
""")

# Nouns that are none of the above, so that a name of nouns only can be told from a name with an unknown verb.
PLAIN: Final = words("""
    error warning capability permission role tenant notification
    pr case hour
    data name id type kind language country city region currency location place map station stop
    place restaurant movie film song album track artist playlist book author genre recipe ingredient animal
    stock symbol ticker exchange coin market quote trend company competitor keyword hashtag sentiment
    person people customer client vendor patient student course lesson grade class school
    patch series timeseries histogram chart graph plot benchmark score statement account ledger
    project workspace organization team channel group user member contact lead deal item issue ticket board card
    file folder document page table column row record field property database collection dataset model
    order product price inventory stock shipment category invoice payment subscription plan transaction
    message mail email thread conversation draft label attachment calendar event meeting reminder task note
    server cluster node pod service container image network volume instance function metric log trace span alert
    monitor dashboard deployment release build branch commit repository package dependency vulnerability
    version language feature option setting parameter resource template workflow run job queue topic subscriber
    client clients boutique plateforme facture factures produit produits commande commandes fournisseur
    cliente clientes producto productos pedido pedidos proveedor kunde kunden produkt produkte rechnung rechnungen
    browser console screenshot tab link url site web news article post comment tweet profile
    skill tool agent assistant memory graph entity relation concept docs api endpoint zone record
    mensuel mensual financier financiero monatlich daily weekly monthly yearly annual current past latest recent
    mes mois monat tag jahr ano annee
""")

# Words under which anything can hide: a name with one of these and no verb is not a name of things.
HIDES: Final = words("action command script operation hook code task function tool agent request")

# Mail that one marks or labels stays where it is: tidying, although a mail that one writes is not.
TIDIED: Final = words("email mail message thread conversation repository repo notification courriel correo nachricht")

# A note under one of these is a comment that others read.
DISCUSSED: Final = words("issue pr ticket incident discussion bug")
