import Glibc

/// The time now, on a clock that is never set.
func monotonicNanoseconds() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
}

/// Samples of one figure for one candidate.
struct Samples: Sendable {
    private var values: [UInt64] = []

    mutating func add(_ more: [UInt64]) {
        values += more
    }

    /// The value that a percentage of the samples does not exceed.
    func percentile(_ percent: Int) -> Double {
        guard !values.isEmpty else { return .nan }
        let sorted = values.sorted()
        return Double(sorted[min(sorted.count - 1, sorted.count * percent / 100)])
    }
}

/// A table for a terminal: a name and a number of columns.
struct Table {
    let title: String
    let columns: [String]
    private var rows: [[String]] = []

    init(_ title: String, _ columns: [String]) {
        self.title = title
        self.columns = columns
    }

    mutating func add(_ row: [String]) {
        rows.append(row)
    }

    func show() {
        let all = [columns] + rows
        let widths = columns.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        print("\n\(title)")
        for row in all {
            let cells = row.enumerated().map { column, text in
                let padding = String(repeating: " ", count: widths[column] - text.count)
                return column == 0 ? text + padding : padding + text
            }
            print("  " + cells.joined(separator: "  "))
        }
    }
}

/// A number with a number of decimal places.
func figure(_ value: Double, digits: Int = 1) -> String {
    guard value.isFinite else { return "–" }
    let scale = pow(10, Double(digits))
    let rounded = (value * scale).rounded() / scale
    let text = "\(rounded)"
    return digits == 0 ? String(text.prefix { $0 != "." }) : text
}

func ratio(_ value: Double, to baseline: Double) -> String {
    "\(figure(value / baseline, digits: 2)) ×"
}
