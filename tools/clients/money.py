"""Reads a JSON number per line as a payment of the generated client, and writes the number that the client sends."""

import json
import sys

from jsonschema import Draft202012Validator
from payments.models import CreateCardPayment

document = json.load(open(sys.argv[1]))
schema = {"$ref": "#/components/schemas/CreateCardPayment", "components": document["components"]}
validator = Draft202012Validator(schema)
for line in sys.stdin:
    text = '{"orderID":"A-1","amount":%s,"currency":"RUB","description":"Tea","customerID":"c1"}' % line.strip()
    body = CreateCardPayment.from_dict(json.loads(text)).to_dict()
    if not validator.is_valid(body):
        sys.exit(f"jsonschema refuses {line}")
    print(json.dumps(body["amount"]))
