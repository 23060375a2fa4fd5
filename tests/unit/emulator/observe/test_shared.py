"""The metrics of several processes are one page."""

import os
from pathlib import Path

from emulator.observe.metrics import Requests, to_text
from emulator.observe.shared import SharedMetrics


def test_metrics_of_several_processes_are_merged(tmp_path: Path) -> None:
    """Each sample says whose it is, a name has one head, and who is gone is forgotten."""
    requests = Requests()
    requests.add("rest", "GET", 200, 0.01)
    shared = SharedMetrics(tmp_path / "metrics", lambda: to_text(requests.collect()) + "# TYPE up gauge\nup 1\n")
    (tmp_path / "metrics" / "1.prom").write_text("# TYPE up gauge\nup 1\n")  # init lives
    gone = tmp_path / "metrics" / "999999999.prom"
    gone.write_text("# TYPE up gauge\nup 1\n")
    shared.publish()
    text, own = shared.text(), os.getpid()
    assert text.count("# TYPE up gauge") == 1
    assert not gone.exists()
    assert f'up{{process="{own}"}} 1' in text
    assert 'up{process="1"} 1' in text
    assert f'muster_http_requests_total{{method="GET",process="{own}",service="rest",status="200"}} 1' in text
