"""Reads resources of FHIR R4, one a line, and prints why each that is not valid is none, without its values."""

import json
import sys

from fhir.resources.R4B import get_fhir_model_class
from pydantic import ValidationError

seen, bad = 0, 0
for line in sys.stdin:
    resource = json.loads(line)
    name = resource.get("resourceType", "none")
    seen += 1
    try:
        get_fhir_model_class(name).model_validate(resource)
    except ValidationError as error:
        bad += 1
        for problem in error.errors():
            print(name, ".".join(map(str, problem["loc"])), problem["msg"])
print(f"{seen} resources, {bad} not valid")
sys.exit(1 if bad else 0)
