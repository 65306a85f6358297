import Glibc

/// The statistics of a row of measurements.
public struct Figures: Sendable {
    private let sorted: [Double]

    /// The statistics of at least one measurement, in any order.
    public init(_ values: [Double]) {
        precondition(!values.isEmpty, "nothing was measured")
        sorted = values.sorted()
    }

    /// The value below which a share of the others is.
    public func quantile(_ share: Double) -> Double {
        sorted[min(Int(Double(sorted.count) * share), sorted.count - 1)]
    }

    /// The lowest and the highest value, as text.
    public var range: String { "\(text(quantile(0)))–\(text(quantile(1)))" }

    /// The median.
    public var median: Double { quantile(0.5) }
}

/// A duration as a number.
public func seconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) + Double(attoseconds) / 1e18
}

/// The processor time of this process.
public func processorSeconds() -> Double {
    Double(clock()) / Double(CLOCKS_PER_SEC)
}

/// A number with a number of decimal places.
public func text(_ number: Double, _ digits: Int = 2) -> String {
    if digits == 0 { return number.isFinite ? "\(Int(number.rounded()))" : "–" }
    let scale = pow(10, Double(digits))
    return "\((number * scale).rounded() / scale)"
}
