drop table deid.detector, deid.note_provenance, deid.requeue, deid.quarantine, deid.snapshot, deid.progress,
    deid.date_shift, deid.surrogate, deid.key_check;
