/// This machine's clock. Which save is newer does not depend on it.
package struct ClockFacts: Facts, Hashable {
    /// Whether the kernel is told the time from outside; nil where it does not say.
    package let isKept: Bool?
    /// Seconds since 1970.
    package let now: Int64
    /// The latest time that was written down here.
    package let latestNote: Int64?

    /// When this was written; no clock that is right says less.
    package static let earliest: Int64 = 1_760_000_000
    /// Less may come of a clock that is set by hand.
    package static let tolerance: Int64 = 300

    package init(isKept: Bool?, now: Int64, latestNote: Int64?) {
        (self.isKept, self.now, self.latestNote) = (isKept, now, latestNote)
    }

    private static let mend = ["sudo timedatectl set-ntp true", "timedatectl"]

    package var findings: [Finding] {
        if now < Self.earliest {
            return [
                .fault(
                    .clock,
                    "this machine's clock is years behind",
                    why: "its battery may be empty; times of saves and of what came are wrong",
                    mend: Self.mend
                )
            ]
        }
        if let latestNote, latestNote > now + Self.tolerance {
            return [
                .fault(
                    .clock,
                    "this machine's clock went back: something here was noted \(Self.span(latestNote - now)) from now",
                    why:
                        "clocks far apart give versions times that mislead people; which is newer does not depend on them",
                    mend: Self.mend
                )
            ]
        }
        guard isKept == false else {
            return [.well(.clock, isKept == nil ? "the clock is plausible" : "the clock is kept right from outside")]
        }
        return [
            .warning(
                .clock,
                "this machine's clock is not kept right from outside",
                why: "it may be far from those of other machines; then times beside versions mislead, "
                    + "while which is newer does not depend on them",
                mend: Self.mend
            )
        ]
    }

    /// How long that is, ahead or behind, to the nearest: three hours less a second are three.
    static func span(_ difference: Int64) -> String {
        let seconds = difference.magnitude
        return switch seconds {
        case ..<7170: "\((seconds + 30) / 60) minutes"
        case ..<171_000: "\((seconds + 1800) / 3600) hours"
        default: "\((seconds + 43_200) / 86_400) days"
        }
    }
}
