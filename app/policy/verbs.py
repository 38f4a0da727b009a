"""Which verbs are there, in four languages, and how dangerous is each of them in the name of a tool?

General words only, written as a dictionary would list them, accents folded (`loeschen`, `creer`). What stands in no
list is unknown, and what is unknown is `act`, so a missing word costs a click and never a refund.
"""

from typing import Final

from app.policy.word_list import pairs, words

# ---------------------------------------------------------------- verbs that cannot be read as anything else
DELETE: Final = words("""
    delete del remove rm rmdir destroy erase purge wipe shred drop truncate prune flush obliterate expunge discard
    eliminate annihilate nuke scrub uninstall unregister deregister deprovision decommission deactivate unpublish
    unpost terminate kill cancel revoke rescind invalidate overwrite clobber evict dequeue pop unlink unset undeploy
    teardown cleanup clean clear forget retract redact dissolve liquidate demolish expire annul abolish
    unfriend unassign uninvite disinvite dismantle delist dispose rmtree deallocate zap
    supprimer supprime effacer efface detruire detruis enlever enleve retirer annuler annule vider vide purger purge
    revoquer revoque resilier resilie archiver ecraser ecrase desinstaller nettoyer nettoie desactiver
    eliminar elimina borrar borra suprimir suprime quitar quita destruir vaciar vacia anular anula cancelar cancela
    revocar archivar desinstalar limpiar limpia descartar desactivar sobrescribir
    loeschen loesche loesch entfernen entferne vernichten zerstoeren leeren leere stornieren storniere kuendigen
    kuendige widerrufen archivieren archiviere verwerfen bereinigen bereinige deinstallieren abbestellen tilgen
    beenden ueberschreiben ueberschreibe aufheben deaktivieren
    eliminare cancellare rimuovere apagar excluir remover deletar cancellami
""")

ACT: Final = words("""
    expose exfiltrate inject send resend submit publish republish notify announce tell dispatch
    deliver emit
    pay repay prepay payout refund reimburse withdraw transact purchase buy sell rent lease
    donate wire remit disburse bill subscribe unsubscribe enroll unenroll hire fire onboard offboard
    reinvite authorize authorise deny approve reject accept decline confirm acknowledge ack
    escalate impersonate bypass override sudo elevate promote demote ban unban kick unblock suspend
    unsuspend reinstate lock unlock freeze unfreeze quarantine
    execute exec eval evaluate invoke perform launch spawn boot reboot restart start stop halt shutdown resume
    pause wake activate enable disable toggle switch apply deploy redeploy rollout rollback revert undo redo provision
    reprovision reinstall upgrade downgrade migrate failover failback scale resize configure reconfigure
    bootstrap initialize initialise enforce attach detach unmount connect disconnect pair unpair
    bind unbind associate disassociate join leave merge rebase squash commit click tap press drag
    fill navigate goto login logout signin signout signup authenticate
    reserve reschedule rebook checkin checkout fulfill fulfil ship readdress reroute exchange
    swap trade stake unstake mint burn airdrop borrow lend sign cosign esign countersign notarize
    readjust adjust reprice discount waive settle finalize finalise close reopen end finish
    dial ring tweet retweet repost unfollow dm reply respond answer upvote downvote
    print speak say sound play unmute manage administer operate process do act
    make give rotate regenerate reissue renew extend reset recover recreate rebuild
    replay retry rerun requeue enqueue protect unprotect encrypt decrypt
    certify whitelist blacklist allow disallow permit forbid consent optin optout
    envoyer envoie renvoyer publier publie payer paie rembourser rembourse virer vire transferer
    transfere commander acheter achete vendre vends reserver reserve inviter approuver approuve
    refuser refuse accepter accepte confirmer confirme executer execute lancer lance demarrer demarre
    arreter arrete relancer relance notifier notifie contacter repondre reponds appeler appelle signer signe partager
    partage autoriser autorise accorder activer deployer deploie abonner desabonner installer redemarrer bloquer
    debloquer diffuser soumettre soumets encaisser prelever preleve debiter crediter expedier livrer imprimer
    configurer
    certifier connecter deconnecter fermer cloturer planifier traiter gerer transmettre suspendre rappeler prevenir
    enviar envia reenviar publicar publica pagar paga reembolsar reembolsa cobrar cobra transferir transfiere comprar
    compra vender vende reservar invitar invita aprobar aprueba rechazar rechaza aceptar acepta confirmar confirma
    ejecutar ejecuta iniciar inicia lanzar detener parar notificar notifica avisar responder responde llamar llama
    firmar firma compartir comparte autorizar autoriza conceder activar desplegar suscribir instalar reiniciar
    bloquear
    desbloquear emitir timbrar entregar imprimir configurar conectar desconectar cerrar cierra programar procesar
    gestionar contratar despedir depositar agendar contactar presentar
    senden sende versenden versende absenden schicken schicke verschicken abschicken veroeffentlichen veroeffentliche
    bezahlen bezahle zahlen zahle ueberweisen ueberweise erstatten erstatte bestellen bestelle kaufen kaufe verkaufen
    buchen buche reservieren reserviere einladen genehmigen genehmige freigeben ablehnen annehmen
    bestaetigen bestaetige ausfuehren fuehre starten starte stoppen stoppe benachrichtigen benachrichtige antworten
    antworte anrufen rufe unterschreiben unterzeichnen teilen teile aktivieren aktiviere installieren abonnieren
    sperren sperre entsperren liefern ausliefern drucken drucke weiterleiten mahnen abbuchen einziehen gutschreiben
    verbinden trennen schliessen schliesse schalten schalte steuern konfigurieren planen terminieren verarbeiten
    einreichen melden uebergeben umbuchen
    inviare pagare pubblicare comprare
""")

WRITE: Final = words("""
    create add update edit modify change write insert append upsert save amend revise alter put 
    generate register prepend populate adapt compose 
    replace rewrite correct sync synchronize synchronise enrich annotate define
    remember memorize memorise memoize scaffold 
    creer cree ajouter ajoute modifier modifie mettre mets ecrire ecris inserer enregistrer enregistre sauvegarder
    sauvegarde generer genere rediger redige editer edite remplacer remplace completer saisir importer importe
    actualiser synchroniser noter ajuster changer definir televerser
    crear crea agregar agrega anadir anade actualizar actualiza modificar modifica editar edita escribir escribe
    insertar guardar guarda registrar registra generar genera redactar redacta reemplazar reemplaza importar importa
    anotar anota sincronizar cambiar cambia definir subir
    erstellen erstelle anlegen lege hinzufuegen fuege aktualisieren aktualisiere aendern aendere bearbeiten bearbeite
    schreiben schreibe einfuegen speichern speichere erzeugen erzeuge generieren generiere ersetzen ersetze
    eintragen erfassen erfasse importieren hochladen notieren notiere setze setzen synchronisieren verfassen
    criar creare aggiungere aggiornare atualizar
""")

ORGANIZE: Final = words("""
    tag untag label relabel star unstar pin unpin bookmark unbookmark favorite favourite unfavorite categorize
    categorise prioritize prioritise snooze mark move rename copy clone duplicate reorder rearrange reorganize
    restore unarchive untrash undelete unsnooze complete uncomplete assign reassign unmark nest
    stage unstage stash mute
    etiqueter marquer marque deplacer deplace renommer renomme copier copie dupliquer restaurer
    restaure assigner classer trier epingler
    etiquetar marcar marca mover mueve renombrar renombra copiar copia duplicar restaurar asignar clasificar ordenar
    markieren markiere verschieben verschiebe umbenennen kopieren kopiere duplizieren wiederherstellen zuweisen
    einsortieren sortieren sortiere anheften
""")

READ: Final = words("""
    get fetch find search describe show retrieve lookup browse inspect examine discover enumerate peek
    gather obtain locate explore ls whoami whois ping geocode stat grep tail nslookup dig traceroute explain
    compare diff count calculate validate verify detect identify recognize recognise classify analyze analyse
    summarize
    summarise translate parse tokenize extract estimate predict infer preview simulate suggest recommend advise
    determine ascertain crawl scrape scan filter download export display is has can are does exists was did who
    what when where which how why
    transcribe encode normalize normalise rank probe unshorten research reason solve vectorize beautify minify
    lint paginate precheck introspect characterize diagnose think thinking reasoning echo wait observe recap
    autocomplete
    visualize visualise measure interpret decode
    obtenir obtiens lister liste chercher cherche rechercher recherche trouver trouve lire lis consulter consulte
    afficher affiche voir recuperer recupere verifier verifie compter compte calculer calcule visualiser
    analyser analyse comparer compare resumer traduire telecharger exporter controler estimer evaluer evalue
    detecter detecte identifier identifie suggerer recommander
    suivre
    obtener obten listar lista buscar busca encontrar leer lee consultar consulta mostrar muestra ver recuperar
    recupera verificar verifica revisar revisa contar calcular calcula comparar descargar exportar
    traer trae analizar analiza resumir traducir comprobar comprueba validar valida visualizar explicar evaluar
    evalua detectar detecta sugerir recomendar
    abrufen hole holen auflisten liste zeige zeigen anzeigen suche suchen finde finden lies lesen pruefen
    pruefe berechnen berechne zaehlen zaehle vergleichen vergleiche ermitteln ermittle nachschlagen herunterladen
    exportieren analysieren ansehen einsehen uebersetzen zusammenfassen durchsuchen durchsuche
    abfragen
    cercare leggere ottenere mostrare procurar ler
""")

# ---------------------------------------------------------------- words that are as often a noun
# Before them only position tells; `list` after an unknown word is not enough to call it reading.
READ_OR_NOUN: Final = words("""
    list read query view check lookup report audit sample compute inventory head cat look watch recap survey
    busqueda abfrage resumen reporte rapport bilan
""")

# Mostly verbs where they stand first: `archive_list` archives, `show_archive` shows.
VERB_OR_NOUN: Final[dict[str, str]] = {
    **dict.fromkeys(words("archive trash void empty cut abort retire sunset strip"), "delete"),
    **dict.fromkeys(
        words("""
        share book charge transfer deploy trigger run post release reply call email mail text rollout cast open play
        host fork queue drive lift route tip vote bid test pull load capture collect request ask chat prompt contact
        alert follow signal hold heat cool track convert resolve schedule plan claim pledge power
        credit debit deposit transport advance award gift reward cash exchange loan fund visit stream flash
        replay lease lock join leave merge switch tap click press process boot answer commit dispatch discount swap
        stake stop start end finish burn rollback upgrade print ring fill scale sound repost payout wire rent bill
        launch resume make pair block upload invite redirect push broadcast grant install mount control
        handle delegate setup forward react link checkout checkin login signup checkpoint
        redeem dispute chase bump flip rate review comment tweet fax sms dm nudge poke
        backup build compile train tune crowdsource take bring use access poll
        """),
        "act",
    ),
    **dict.fromkeys(words("set log record note form flag store author patch import draw fix new"), "write"),
}

# Mostly nouns, also where they stand first: `order_list` lists, `order_status` tells; alone (`order`) they act.
NOUN_OR_VERB: Final = words("""
    order message invoice payment event ticket job task booking schedule contract function command script build call
    transfer refund charge request review alert commit trade purchase deposit loan fund plan backup issue host
    monitor route
    release webhook service pipeline log record note form contact comment test
    commande facture message paiement pedido factura pago mensaje rechnung bestellung nachricht zahlung
""")

# ---------------------------------------------------------------- words that change what others mean
DRAFT: Final = words("draft drafts brouillon brouillons borrador borradores entwurf entwuerfe")
HYPOTHETICAL: Final = words("preview simulate can is has are should estimate explain precheck dryrun whatif")
JOINERS: Final = words("and or then und oder et ou y also plus dann puis luego despues")
PREPOSITIONS: Final = words(
    "to for from with in into by of on at as using via within onto under about "
    "de du des pour avec dans par a al del para con en por von zu fuer mit im aus bei als per"
)
FILLERS: Final = words(
    "the a an all any my our your this that these those one many multiple batch bulk multi async "
    "le la les un une mes mon ma el los las mis mi der die das den ein eine meine mein v now"
)

# Two words that mean together what neither says alone.
DELETE_IDIOMS: Final = pairs("""
    get rid  take down  tear down  call off  wipe out  throw away  factory reset  close account  shut account
    clear out
    reset database  reset data  reset all  reset table  reset workspace  reset repository  reset environment
    reset device  close accounts  hard reset  go away  move trash  move bin  move papierkorb  mover papelera  mark
    spam
""")
ACT_IDIOMS: Final = pairs("""
    get paid  get signature  check in  check out  sign up  sign in  sign out  sign off  log in  log out  opt in
    opt out
    turn on  turn off  switch on  switch off  shut down  start up  roll back  roll out  pay out  cash out  fill in
    fill out  pick up  hand off  hand over  go live  bring down  set up  watch out  find replace  view as  show off
    set off  fetch payment  collect payment  read aloud  browse as  mark paid  mark sent  mark shipped  mark void
""")

# What one marks decides: as read is tidying, as paid is not.
MARKING: Final = words("mark unmark marquer marque marcar marca markieren markiere")

# Two words that are one thing, and the word that we take for it.
COMPOUNDS: Final[dict[tuple[str, str], str]] = {
    ("pull", "request"): "pr",
    ("pull", "requests"): "pr",
    ("merge", "request"): "pr",
    ("merge", "requests"): "pr",
    ("feature", "request"): "feature",
    ("feature", "requests"): "feature",
    ("access", "token"): "token",
    ("access", "key"): "key",
    ("log", "group"): "log",
    ("log", "groups"): "log",
    ("time", "entry"): "hour",
    ("credit", "note"): "invoice",
    ("test", "case"): "case",
    ("test", "cases"): "case",
    ("text", "file"): "file",
}

# Verbs that read with these objects and act with all others.
READS_ONLY_WITH: Final[dict[str, frozenset[str]]] = {
    "track": words("order shipment package parcel delivery flight status progress"),
    "convert": words("currency unit temperature time timezone date format markdown html pdf coordinate number color"),
    "open": words("node file document page"),
    "resolve": words("library id dns hostname host name address domain path handle username alias"),
    "take": words("screenshot"),
    "capture": words("screenshot screen"),
    "collect": words("metric log statistic"),
    "load": words("file document context memory text skill"),
    "ask": words("question documentation doc"),
    "recall": words("memory fact context note"),
    "test": words("connection connectivity regex"),
    "review": words("history"),
}
# Reading verbs that, with these objects, start something after all.
ACTS_WITH: Final[dict[str, frozenset[str]]] = {
    **dict.fromkeys(
        words(
            "get fetch retrieve recuperer recupere recuperar recupera obtener obtenir abrufen hole holen gather obtain"
        ),
        words("money cash fonds fondos geld dinero argent"),
    ),
    "retrieve": words("fund money cash"),
    "fetch": words("fund money cash"),
    "verify": words("domain email phone identity user account sender certificate number"),
    "validate": words("payment order invoice"),
    "show": words("notification ad toast"),
    "display": words("notification ad toast"),
    "export": words("email mail slack"),
    "verifier": words("identite"),
}
