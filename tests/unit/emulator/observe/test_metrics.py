"""The metrics' text format, which input cannot forge."""

import re

from emulator.observe.metrics import BUCKETS_S, Requests, counters, process_text, to_text


def test_the_text_format_holds() -> None:
    requests = Requests()
    for duration_s in (0.0004, 0.001, 0.002, 0.3, 99.0):
        requests.add("rest", "GET", 200, duration_s)
    text = to_text(requests.collect())
    assert 'muster_http_requests_total{method="GET",service="rest",status="200"} 5' in text
    buckets = [float(line.split()[-1]) for line in text.splitlines() if "_bucket{" in line]
    assert buckets == [2, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 5]
    assert len(buckets) == len(BUCKETS_S) + 1
    assert 'muster_http_request_duration_seconds_sum{service="rest"} 99.3034' in text
    line = re.compile(r"# (HELP|TYPE) \w+ .+|\w+(\{(\w+=\"[^\"]*\",?)+\})? -?[\d.e+-]+")
    for row in (text + process_text()).splitlines():
        assert line.fullmatch(row), row


def test_a_label_cannot_end_its_line() -> None:
    text = to_text([counters("x_total", "About", ["path"], [(['a"} 2\nevil 1\\'], 1)])])
    assert text.splitlines()[-1] == 'x_total{path="a\\"} 2\\nevil 1\\\\"} 1.0'
