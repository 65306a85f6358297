/// This machine's clock. The order of versions does not depend on it.
package struct ClockFacts: Facts, Hashable {
    /// True if the kernel's clock is synchronised; nil if that is unknown.
    package let isKept: Bool?
    /// Seconds since 1970.
    package let now: Int64
    /// The latest time in the files of this machine.
    package let latestNote: Int64?

    /// Time of the program's release; a correct clock is later.
    package static let earliest: Int64 = 1_760_000_000
    /// Tolerance for a clock that is set by hand.
    package static let tolerance: Int64 = 300

    package init(isKept: Bool?, now: Int64, latestNote: Int64?) {
        (self.isKept, self.now, self.latestNote) = (isKept, now, latestNote)
    }

    private static let fix = ["sudo timedatectl set-ntp true", "timedatectl"]

    package var findings: [Finding] {
        if now < Self.earliest {
            return [
                .fault(
                    .clock,
                    "this machine's clock is years behind",
                    why: "its battery may be empty; times of saves and of received files are wrong",
                    fix: Self.fix
                )
            ]
        }
        if let latestNote, latestNote > now + Self.tolerance {
            return [
                .fault(
                    .clock,
                    "this machine's clock went back: an entry was written \(Self.span(latestNote - now)) from now",
                    why:
                        "clocks that differ give versions misleading times; the order of versions does not "
                        + "depend on them",
                    fix: Self.fix
                )
            ]
        }
        guard isKept == false else {
            return [.well(.clock, isKept == nil ? "the clock is plausible" : "the clock is synchronised")]
        }
        return [
            .warning(
                .clock,
                "this machine's clock is not synchronised",
                why: "it may differ from those of other machines; then the times of versions mislead, "
                    + "while their order does not depend on them",
                fix: Self.fix
            )
        ]
    }

    /// The length of a difference in words, rounded: three hours less a second are three.
    static func span(_ difference: Int64) -> String {
        let seconds = difference.magnitude
        return switch seconds {
        case ..<7170: "\((seconds + 30) / 60) minutes"
        case ..<171_000: "\((seconds + 1800) / 3600) hours"
        default: "\((seconds + 43_200) / 86_400) days"
        }
    }
}
