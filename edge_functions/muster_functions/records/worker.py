"""The process that sets one record: its sheet as JSON on the input, the PDF on the output.

In a process of its own, with bounds on memory and time, because the typesetter is large and the words are members'.
`python -m muster_functions.records.worker`.
"""

import json
import resource
import sys
from pathlib import Path
from typing import Literal

MAX_MEMORY_BYTES = 2 << 30
MAX_CPU_S = 20
HERE = Path(__file__).parent


def main() -> int:
    """Set what comes in."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_S, MAX_CPU_S))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.stdout.buffer.write(typeset(json.load(sys.stdin.buffer)))
    return 0


def typeset(sheet: dict[str, object]) -> bytes:
    """The PDF of a sheet (records/sheet.py): PDF/UA-1, tagged, with its fonts."""
    import qrcode
    import typst

    code = qrcode.QRCode(error_correction=qrcode.ERROR_CORRECT_M, border=0)
    code.add_data(sheet["url"])
    modules = code.get_matrix()
    dark = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(modules) for x, is_dark in enumerate(row) if is_dark)
    qr = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {len(modules)} {len(modules)}"><path d="{dark}"/></svg>'

    def compiled(standard: Literal["ua-1"] | None) -> bytes:
        return typst.compile(
            HERE / "record.typ", root=HERE, font_paths=[HERE / "fonts"], format="pdf", pdf_standards=standard,
            sys_inputs={"sheet": json.dumps(sheet), "qr": qr},
        )  # fmt: skip

    try:
        return compiled("ua-1")
    except typst.TypstError:
        return compiled(
            None
        )  # PDF/UA refuses letters that no font has; the rest of the record is readable all the same


if __name__ == "__main__":
    sys.exit(main())
