-- Tables of HAPI FHIR's JPA server on PostgreSQL, as version 7 makes them, less what nothing here needs.
create table hfj_resource (res_id bigint primary key, partition_id integer, partition_date date, res_deleted_at timestamp(6), res_version varchar(7), has_tags boolean not null default false,
	res_published timestamp(6) not null, res_updated timestamp(6) not null, fhir_id varchar(64), sp_has_links boolean not null default true, hash_sha256 varchar(64), sp_index_status smallint,
	res_language varchar(20), res_type varchar(40) not null, search_url_present boolean, res_ver bigint not null, unique (res_type, fhir_id));
create table hfj_res_ver (pid bigint primary key, partition_id integer, partition_date date, res_deleted_at timestamp(6), res_version varchar(7), has_tags boolean not null default false,
	res_published timestamp(6) not null, res_updated timestamp(6) not null, res_encoding varchar(5) not null, res_text oid, res_id bigint not null references hfj_resource, res_text_vc text,
	res_type varchar(40) not null, res_ver bigint not null, source_uri varchar(100), request_id varchar(16), unique (res_id, res_ver));
create table hfj_res_link (pid bigint primary key, partition_id integer, partition_date date, src_path varchar(500) not null, src_resource_id bigint not null references hfj_resource,
	source_resource_type varchar(40) not null, target_resource_id bigint references hfj_resource, target_resource_type varchar(40) not null, target_resource_url varchar(200),
	target_resource_version bigint, sp_updated timestamp(6));
create index idx_rl_src on hfj_res_link (src_resource_id);
create index idx_rl_tgt_v2 on hfj_res_link (target_resource_id, src_path, src_resource_id, target_resource_type, partition_id);
create table hfj_spidx_string (sp_id bigint primary key, sp_missing boolean not null, sp_name varchar(100), res_id bigint not null references hfj_resource, res_type varchar(100), sp_updated timestamp(6),
	hash_exact bigint, hash_identity bigint, hash_norm_prefix bigint, sp_value_exact varchar(768), sp_value_normalized varchar(768));
create table hfj_spidx_token (sp_id bigint primary key, sp_missing boolean not null, sp_name varchar(100), res_id bigint not null references hfj_resource, res_type varchar(100), sp_updated timestamp(6),
	hash_identity bigint, hash_sys bigint, hash_sys_and_value bigint, hash_value bigint, sp_system varchar(200), sp_value varchar(200));
create table hfj_spidx_date (sp_id bigint primary key, sp_missing boolean not null, sp_name varchar(100), res_id bigint not null references hfj_resource, res_type varchar(100), sp_updated timestamp(6),
	hash_identity bigint, sp_value_high timestamp(6), sp_value_high_date_ordinal integer, sp_value_low timestamp(6), sp_value_low_date_ordinal integer);
create table hfj_spidx_uri (sp_id bigint primary key, sp_missing boolean not null, sp_name varchar(100), res_id bigint not null references hfj_resource, res_type varchar(100), sp_updated timestamp(6),
	hash_identity bigint, hash_uri bigint, sp_uri varchar(500));
create table hfj_forced_id (pid bigint primary key, forced_id varchar(100) not null, resource_pid bigint not null references hfj_resource, resource_type varchar(100) default '');
create table hfj_tag_def (tag_id bigint primary key, tag_code varchar(200), tag_display varchar(200), tag_system varchar(200), tag_type integer not null);
create table hfj_res_tag (pid bigint primary key, tag_id bigint references hfj_tag_def, res_id bigint references hfj_resource, res_type varchar(40) not null);
create sequence seq_resource_id;
create sequence seq_index_id;
