"""The clinic with buttons: the same calls as those of a case."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import ipywidgets

from nnlib.course.clinic.findings import PROBES, Finding

WIDE = {"description_width": "initial"}


def desk(case: Any) -> ipywidgets.Widget:
    """Show chart, probes, diagnosis and repair of a `Case`, one below the other; findings stay on the desk."""
    findings = ipywidgets.VBox([ipywidgets.HTML(case.chart().html())])

    def show(finding: Finding) -> None:
        findings.children = (*findings.children, ipywidgets.HTML(finding.html()))
        open_or_shut()

    def button(words: str, act: Callable[[], Finding], tip: str = "") -> ipywidgets.Button:
        made = ipywidgets.Button(
            description=words, tooltip=tip, layout=ipywidgets.Layout(width="auto")
        )
        made.on_click(lambda _: show(act()))
        return made

    probes = [
        button(f"{name}, {probe.minutes} min", partial(case.probed_by, name), probe.question)
        for name, probe in PROBES.items()
    ]
    diagnosis = ipywidgets.Dropdown(
        options=case.choices(),
        description="Diagnosis",
        style=WIDE,
        layout=ipywidgets.Layout(width="420px"),
    )
    line = ipywidgets.BoundedIntText(
        1, min=1, max=40, description="Line", style=WIDE, layout=ipywidgets.Layout(width="110px")
    )
    text = ipywidgets.Text(
        description="as it should be", style=WIDE, layout=ipywidgets.Layout(width="480px")
    )
    repair = ipywidgets.HBox(
        [line, text, button("Repair and train", lambda: case.repaired_by(line.value, text.value))]
    )

    def open_or_shut() -> None:
        repair.layout.display = "flex" if case.named and not case.cured else "none"

    open_or_shut()
    return ipywidgets.VBox(
        [
            findings,
            ipywidgets.HBox(probes, layout=ipywidgets.Layout(flex_flow="row wrap")),
            ipywidgets.HBox(
                [diagnosis, button("Diagnose", lambda: case.diagnosed_as(diagnosis.value))]
            ),
            repair,
        ]
    )
