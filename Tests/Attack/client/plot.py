"""A curve of memory as SVG."""

from __future__ import annotations

WIDTH, HEIGHT, MARGIN = 720, 260, 44


def plot(curve: list[dict[str, float]], limit: int, is_alive: bool) -> str:
    length = max(1.0, curve[-1]["seconds"])
    top = limit * 1.15

    def x(seconds: float) -> float:
        return MARGIN + seconds / length * (WIDTH - 2 * MARGIN)

    def y(mebibytes: float) -> float:
        return HEIGHT - MARGIN - mebibytes / top * (HEIGHT - 2 * MARGIN)

    def line(key: str, colour: str) -> str:
        points = " ".join(f"{x(sample['seconds']):.1f},{y(sample[key]):.1f}" for sample in curve)
        return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>'

    def text(left: float, up: float, words: str, colour: str = "#333") -> str:
        return f'<text x="{left:.0f}" y="{up:.0f}" fill="{colour}">{words}</text>'

    end = "" if is_alive else text(WIDTH - MARGIN - 60, MARGIN - 8, "killed", "#c00")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<path d="M{MARGIN},{MARGIN} V{HEIGHT - MARGIN} H{WIDTH - MARGIN}" fill="none" stroke="#333"/>',
        f'<path d="M{MARGIN},{y(limit):.1f} H{WIDTH - MARGIN}" stroke="#c00" stroke-dasharray="6 4"/>',
        text(MARGIN + 6, y(limit) - 5, f"limit {limit} MiB", "#c00"),
        text(6, MARGIN - 12, "MiB"),
        *(text(10, y(each) + 4, str(each)) for each in range(0, limit + 1, 32)),
        *(text(x(length * part / 4) - 12, HEIGHT - MARGIN + 18, f"{length * part / 4:.0f} s") for part in range(5)),
        line("resident_mib", "#06c"),
        line("anonymous_mib", "#0a6"),
        text(WIDTH - MARGIN - 250, HEIGHT - 6, "resident", "#06c"),
        text(WIDTH - MARGIN - 180, HEIGHT - 6, "of it the daemon's own (anonymous)", "#0a6"),
        end,
        "</svg>",
    ]
    return "\n".join(parts) + "\n"
