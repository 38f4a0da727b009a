"""Which names, written by hand and unlike those of the corpora, must never pass as harmless, and which must read?"""

from typing import Final


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# At least `act`, however harmless the rest of the name looks.
DANGEROUS: Final = _names("""
    send_newsletter sendInvoiceByMail mail.dispatch SEND-FAX resend_verification_code forward_mail_to_accountant
    reply_all replyToReview tweet_now post_story share_album_publicly publishArticle schedule_tweet
    announce_release broadcast_to_subscribers notify_team text_customer call_customer ring_doorbell invite_guest
    add_team_member grant_editor_access create_access_token generateApiKey rotate_signing_key add_ssh_key
    set_user_role update_acl assign_role_to_user make_admin impersonate_user bypass_review override_limit
    elevate_privileges login_as_user pay_bill payout_seller create_charge capture_payment charge_card issue_refund
    transfer_between_accounts wire_money send_bitcoin place_bid buy_stock sell_shares open_position closePosition
    stake_tokens swap_tokens donate_to_cause order_taxi book_table reserve_seat purchase_ticket checkout_cart
    place_order_now create_subscription change_subscription_plan upgrade_plan apply_coupon create_discount_code
    set_price updateProductPrice adjust_inventory deploy_site rollback_release restart_service stop_instance
    scale_deployment run_migration execute_statement run_shell eval_expression invoke_lambda trigger_pipeline
    start_workflow retry_build merge_branch push_commits create_release create_repository_webhook register_webhook
    add_dns_record update_nameservers open_port create_firewall_rule disable_alarm enable_two_factor lock_door
    unlock_front_door turn_on_heater switch_off_lights set_thermostat start_vacuum play_song take_photo
    record_call print_label sign_contract approve_expense reject_candidate accept_offer confirm_booking
    reschedule_visit check_in_passenger check_out_guest enroll_student hire_candidate fire_employee
    submit_tax_return file_complaint file_claim request_signature escalate_ticket process_refunds handle_dispute
    perform_action do_task run execute apply manage_users control_device read_and_forward search_and_book
    fetch_then_publish list_or_send getAndPost view_and_approve check_and_pay find_and_notify export_and_email
    download_and_execute load_and_run lookup_and_charge show_then_tweet get_paid_now retrieve_cash fetch_funds
    collect_payment update_webhook create_campaign activate_campaign create_ad set_bid edit_message update_status
    set_presence join_channel leave_group kick_member ban_user block_sender follow_account like_post upvote_answer
    create_poll vote_on_proposal create_meeting_invite add_attendee create_calendar_entry_with_guests frobnicate
    blorp_widgets xyz zap_it reticulate.splines process_list sync_and_publish convert_lead connect_bank_account
    link_card set_default_gateway configure_router set_forwarding_rule create_mail_filter_rule set_out_of_office
    set_password changeEmailAddressOfUser envoyer_sms publier_annonce rembourser_client creer_remboursement
    payer_fournisseur valider_virement relancer_impayes reserver_table inviter_membre modifier_prix
    commander_stock lancer_campagne expedier_colis partager_dossier signer_contrat creer_utilisateur ajouter_droit
    activer_compte programmer_envoi enviar_correo publicarAnuncio reembolsar_pedido pagar_proveedor crear_usuario
    cambiar_precio reservar_mesa ejecutar_consulta aprobar_gasto compartir_carpeta transferir_dinero
    llamar_cliente firmar_contrato crear_reembolso rechnung_versenden mailSenden ueberweisung_anlegen
    bestellung_aufgeben termin_buchen benutzer_anlegen preis_aendern ordner_teilen vertrag_unterschreiben
    newsletter_verschicken zahlung_freigeben antworte_kunde отправить_письмо 送信 get_данные_и_удалить list_exec
    read_write_execute preview_and_send action_status action_health command_list_runner track_event verify_phone
    show_notification ask_user mark_as_paid mark_invoice_paid move_money move_funds copy_to_public_bucket
    post_list share_list email_list email_report adopt_list release_hold resume_campaign create_comment
    add_reaction comment_on_ticket create_note_on_issue
""")

# `delete`, not merely `act`: a manager who forbids deleting forbids these.
REMOVES: Final = _names("""
    delete_note removeContact destroy.session purge-cache wipe_device drop_table truncate_table erase_history
    archive_thread archive_list trash_message empty_recycle_bin void_check cancel_subscription revoke_session
    terminate_instance kill_job uninstall_app unpublish_post overwrite_file clear_history discard_draft
    unset_variable get_and_delete list_and_purge find_one_and_delete searchAndRemove read_then_erase users.delete
    DELETE__ALL bulk-delete-rows file_delete_forever move_to_trash moveToBin get_rid_of_duplicates close_account
    factory_reset reset_database tear_down_stack wipe_out_logs fetchAndDestroy exportAndDelete view_delete_user
    supprimer_facture effacer_historique annuler_commande vider_corbeille resilier_contrat archiver_dossier
    eliminar_cliente borrarArchivo cancelar_cita anular_factura vaciar_papelera loesche_eintrag kunde_löschen
    termin_stornieren abo_kündigen eintrag_entfernen listar_y_borrar chercher_et_supprimer suchen_und_entfernen
""")

# Each of these taken for more costs a person a click.
READS: Final = _names("""
    get_weather getForecast list_rooms listOpenPositions fetch_article search_flights SearchPapers find_recipes
    describe_table show_menu retrieve_transcript lookup_word look_up_postcode browse_catalogue inspect_page
    count_visitors check_stock check_status verify_signature validate_schema compare_plans diff_versions
    analyze_sentiment summarize_article translate_text extract_tables parse_receipt classify_image detect_language
    calculate_shipping estimate_delivery predict_demand preview_template simulate_loan explain_query
    suggest_titles recommend_books export_statement download_report crawl_site scrape_page scan_barcode ping_host
    whois_lookup is_available has_access can_edit exists_user whoami who_is_on_call what_time_is_it read_file
    readConfig read_sensor view_calendar query_metrics query_knowledge_base audit_accessibility orders_list
    orders.search users/get customers:list tickets-find playlist.tracks.get ORDERS_GET_BY_ID stripe_list_charges
    spotify_get_playlist jellyfish_search_albums acme_list_widgets acme_get_widget get_payment get_refund
    get_transfer list_payouts list_refunds get_invoice_pdf get_post get_comment get_message get_share_link_info
    list_shares get_order get_orders_and_totals get_release get_build get_run list_runs get_deploy get_archive
    show_archive list_trash get_trash list_deleted_files get_archived_projects list_sent_mails get_drafts
    list_blocked_users get_scheduled_posts list_published_articles get_closed_tickets get_open_orders
    get_update_history get_delete_status list_send_limits get_import_status get_latest_update get_new_arrivals
    get_settings list_permissions list_webhooks get_api_usage get_user_role get_role get_domain get_certificate
    get_tag list_labels get_link get_pinned_messages list_favorites get_bookmark search_notes find_duplicates
    get_address address_lookup get_set_list setlist_search readiness_report listing_details get_listing
    order_status order_history payment_history delivery_status account_balance market_overview server_info
    build_logs server_metrics api_version dns_report monthly_report sales_summary team_directory track_shipment
    track_parcel convert_currency convert_units resolve_dns resolve_hostname open_file take_screenshot
    test_connection dry_run_import preview_delete simulate_payment geocode reverse_geocode get_directions
    distance_matrix get-pull-request listPullRequests get_checkout get_author list_stores get_store get_block
    get_upload lister_commandes chercherClient afficher_facture consulter_solde rechercher_produit verifier_stock
    calculer_marge statut_livraison historique_paiements etat_stock solde_compte voir_planning trouver_contact
    synthese_ventes rapport_mensuel recuperer_commande comparer_offres detecter_doublons compter_visites
    listar_pedidos buscarCliente mostrar_factura consultar_saldo verificar_stock obtener_precio historial_pagos
    saldo_cuenta estado_pedido ver_agenda calcular_envio contar_visitas resumen_ventas comparar_precios
    leer_archivo liste_rechnungen sucheKunden zeige_termine hole_wetter kunden_suchen rechnung_anzeigen
    pruefe_bestand berechne_versand lagerbestand_abfragen termine_auflisten finde_kontakt vergleiche_preise
    statistik_umsatz get_all_the_things list_my_tasks search_in_documents get_tasks_for_tag search_for_updates
    getURLs listAPIs getPDF GetOAuthScopes fetchRSSFeed
""")

# Stays inside and can be changed again: nobody should have to answer for these.
KEPT_INSIDE: Final = _names("""
    create_note add_task save_draft draft_reply create_draft_order update_spreadsheet_row insert_paragraph
    write_file append_row edit_document create_folder add_checklist_item create_contact update_lead create_quote
    saveMemory create_flashcard update_diagram draft_contract draft_email creer_note ajouter_tache modifier_fiche
    creer_brouillon crear_nota crear_borrador actualizar_contacto erstelle_notiz notiz_erstellen aufgabe_anlegen
""")

# Only the order of things changes.
TIDIES: Final = _names("""
    tag_photo label_email star_message pin_note bookmark_page mark_as_read mark_task_done move_file move_card
    rename_folder copy_document duplicate_slide restore_file complete_task deplacer_fichier renommer_dossier
    mover_archivo etiquetar_documento datei_umbenennen
""")
