# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A chart of ratios as SVG: a row of dots for each kernel, on a logarithmic axis."""
import math

WIDTH, LEFT, ROW, TOP, RIGHT = 900, 210, 18, 56, 30


class Chart:
    """`series` has the label and the colour of each kind of dot. Ratios outside `ticks` are drawn at its ends."""

    def __init__(self, title, series, ticks):
        self.title, self.series, self.ticks = title, series, ticks

    def place(self, ratio):
        least, most = self.ticks[0], self.ticks[-1]
        share = math.log(min(max(ratio, least), most) / least) / math.log(most / least)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def lines(self, rows):
        """The lines of the SVG. `rows` has the label of each row, and its ratios by series."""
        bottom = TOP + len(rows) * ROW
        yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 30}" width="{WIDTH}" '
               f'font-family="sans-serif" font-size="12">')
        yield f'<rect width="{WIDTH}" height="{bottom + 30}" fill="white"/>'
        yield f'<text x="8" y="18" font-weight="bold">{self.title}</text>'
        for number, (label, colour) in enumerate(self.series.values()):
            yield f'<circle cx="{LEFT + 10 + 200 * number}" cy="36" r="5" fill="{colour}"/>'
            yield f'<text x="{LEFT + 20 + 200 * number}" y="40">{label}</text>'
        for tick in self.ticks:
            yield (f'<line x1="{self.place(tick):.1f}" x2="{self.place(tick):.1f}" y1="{TOP}" y2="{bottom}" '
                   f'stroke="{"black" if tick == 1 else "#cccccc"}"/>')
            yield f'<text x="{self.place(tick):.1f}" y="{bottom + 18}" text-anchor="middle">{tick:g}</text>'
        for number, (label, ratios) in enumerate(rows):
            y = TOP + number * ROW + ROW / 2
            yield f'<text x="{LEFT - 8}" y="{y + 4:.0f}" text-anchor="end">{label}</text>'
            for key, (_, colour) in reversed(self.series.items()):
                if key in ratios:
                    yield f'<circle cx="{self.place(ratios[key]):.1f}" cy="{y:.0f}" r="4" fill="{colour}"/>'
        yield "</svg>"
