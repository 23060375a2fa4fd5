"""What this project's functions share, as a parameter of theirs."""

from typing import Annotated

from fastapi import Depends, Request

from muster_functions.services import Services


def _services(request: Request) -> Services:
    found: Services = request.app.state.services
    return found


Shared = Annotated[Services, Depends(_services)]
