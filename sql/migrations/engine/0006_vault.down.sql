drop view deid.vault_shift, deid.vault_span;
drop foreign table deid_engine.vault_shift, deid_engine.vault_span;
