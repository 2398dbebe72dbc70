"""Small exports of each kind, as the products document them."""

import json
from pathlib import Path
from typing import Any

KEYGEN_LICENSES: dict[str, Any] = {
    "data": [
        {
            "id": "lic-1",
            "type": "licenses",
            "attributes": {
                "name": "Studio Berlin",
                "key": "C1B6DE-39A6E3-DE1529-8559A0-4AF593-V3",
                "expiry": "2031-01-01T00:00:00.000Z",
                "status": "ACTIVE",
                "uses": 0,
                "suspended": False,
                "scheme": None,
                "floating": True,
                "maxMachines": 3,
                "maxUses": None,
                "metadata": {"order": "1001", "seatsPaid": 3},
            },
            "relationships": {
                "product": {"data": {"type": "products", "id": "prod-1"}},
                "owner": {"data": {"type": "users", "id": "user-1"}},
            },
        },
        {
            "id": "lic-2",
            "type": "licenses",
            "attributes": {
                "name": None,
                "key": "key/eyJhY2NvdW50Ijp7fX0=",
                "expiry": None,
                "status": "BANNED",
                "uses": 7,
                "suspended": True,
                "scheme": "ED25519_SIGN",
                "maxMachines": 1,
                "metadata": {},
            },
            "relationships": {
                "product": {"data": {"type": "products", "id": "prod-1"}},
                "owner": {"data": None},
            },
        },
    ]
}
KEYGEN_MACHINES: dict[str, Any] = {
    "data": [
        {
            "id": "mach-1",
            "type": "machines",
            "attributes": {
                "fingerprint": "4d:Eq:UV:D3:XZ:tL:WN:Bz:mA:Eg:E6:Mk:YX:dK:NC",
                "name": None,
                "hostname": "berlin-1",
                "platform": "linux",
                "created": "2030-01-01T09:30:00.000Z",
            },
            "relationships": {"license": {"data": {"type": "licenses", "id": "lic-1"}}},
        }
    ]
}
KEYGEN_USERS: dict[str, Any] = {
    "data": [{"id": "user-1", "type": "users", "attributes": {"email": "ada@example.com"}}]
}
CRYPTLEX_LICENSES: list[dict[str, Any]] = [
    {
        "id": "9a1f",
        "key": "0A2035-E8A2A3-4D31B7-8FF9C6-81A6CA-539E54",
        "productId": "63df",
        "type": "node-locked",
        "allowedActivations": 2,
        "allowedFloatingClients": 0,
        "expiresAt": "2031-05-05T08:49:17.9361143Z",
        "suspended": False,
        "revoked": False,
        "notes": "Paid by invoice",
        "user": {"email": "grace@example.com"},
        "metadata": [{"key": "order", "value": "77", "visible": True}],
        "allowedCountries": ["DE"],
    },
    {
        "id": "9a20",
        "key": "280D2B-B48A03-406BBC-2EEE4A-C20FB3-749630",
        "productId": "63df",
        "type": "hosted-floating",
        "allowedActivations": 0,
        "allowedFloatingClients": 10,
        "expiresAt": None,
        "revoked": True,
        "user": None,
        "metadata": [],
    },
]
CRYPTLEX_ACTIVATIONS: list[dict[str, Any]] = [
    {
        "id": "act-1",
        "licenseId": "9a1f",
        "fingerprint": "f00d",
        "hostname": "build",
        "os": "windows",
        "appVersion": "2.1",
        "createdAt": "2030-01-02T00:00:00Z",
    }
]
CRYPTOLENS: dict[str, Any] = {
    "licenseKeys": [
        {
            "productId": 3349,
            "id": 180,
            "key": "KAVCQ-DLRYN-BJQXG-UIAGY",
            "created": 1565811571,
            "expires": 1924992000,
            "f1": True,
            "f2": False,
            "f6": True,
            "notes": "VIP",
            "block": False,
            "customer": {"Id": 1, "Name": "Alan", "Email": "alan@example.com", "CompanyName": ""},
            "activatedMachines": [{"Mid": "a1", "IP": "192.0.2.1", "Time": 1565811571}],
            "trialActivation": False,
            "maxNoOfMachines": 1,
            "dataObjects": [{"Id": 1, "Name": "credits", "StringValue": "", "IntValue": 5}],
        },
        {
            "ProductId": 3349,
            "Id": 181,
            "Key": "CIZKE-UEHNA-ALHHM-NZCXB",
            "Expires": 1924992000,
            "F1": False,
            "Block": True,
            "MaxNoOfMachines": 0,
        },
    ],
    "result": 0,
}
CSV = """\
licenseKey,licenseName,issuedTo,type,expirationDate,maxActiveUsersCount,status,devices,metadata.order
OLD-KEY-0001,Studio Berlin,ada@example.com,Concurrent,2031-01-01,3,Active,pc-1 pc-2,1001
OLD-KEY-0002,"'=SUM(A1)",,Perpetual,,,Suspended,,
OLD-KEY-0003,Late,grace@example.com,Subscription,2029-01-01,,Expired,,
"""


def write(file: Path, *values: object) -> Path:
    """Write each value as JSON on a line; one value alone over several lines."""
    indent = 2 if len(values) == 1 else None
    file.write_text("\n".join(json.dumps(value, indent=indent) for value in values))
    return file
