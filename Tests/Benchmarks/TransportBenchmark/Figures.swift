import Glibc

/// What a row of measurements comes to.
struct Figures {
    private let sorted: [Double]

    init(_ values: [Double]) {
        sorted = values.sorted()
    }

    func quantile(_ share: Double) -> Double {
        sorted[min(Int(Double(sorted.count) * share), sorted.count - 1)]
    }

    var median: Double { quantile(0.5) }
}

func seconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) + Double(attoseconds) / 1e18
}

/// How much work the process has done.
func processorSeconds() -> Double {
    Double(clock()) / Double(CLOCKS_PER_SEC)
}

func text(_ number: Double, _ digits: Int = 2) -> String {
    let scale = pow(10, Double(digits))
    return "\((number * scale).rounded() / scale)"
}

/// Memory that stays where it is for a whole run.
///
/// `@unchecked Sendable` because one task at a time uses it.
final class Room: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer

    init(_ count: Int) {
        bytes = .allocate(byteCount: count, alignment: 4096)
        for place in 0..<count { bytes[place] = UInt8(truncatingIfNeeded: place % 251) }
    }

    deinit {
        bytes.deallocate()
    }
}
