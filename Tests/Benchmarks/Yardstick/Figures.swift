import Glibc

/// What a row of measurements comes to.
public struct Figures: Sendable {
    private let sorted: [Double]

    /// Takes them in any order; there is at least one.
    public init(_ values: [Double]) {
        precondition(!values.isEmpty, "nothing was measured")
        sorted = values.sorted()
    }

    /// The value that so large a share of the others stays below.
    public func quantile(_ share: Double) -> Double {
        sorted[min(Int(Double(sorted.count) * share), sorted.count - 1)]
    }

    /// The lowest and the highest.
    public var range: String { "\(text(quantile(0)))–\(text(quantile(1)))" }

    /// The one in the middle.
    public var median: Double { quantile(0.5) }
}

/// A duration as a number to reckon with.
public func seconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) + Double(attoseconds) / 1e18
}

/// How much work this process has done.
public func processorSeconds() -> Double {
    Double(clock()) / Double(CLOCKS_PER_SEC)
}

/// A number with so many digits behind the point.
public func text(_ number: Double, _ digits: Int = 2) -> String {
    if digits == 0 { return number.isFinite ? "\(Int(number.rounded()))" : "–" }
    let scale = pow(10, Double(digits))
    return "\((number * scale).rounded() / scale)"
}
