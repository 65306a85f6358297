package import Vocabulary

/// The version and clock of another machine, compared with this one.
package struct AccountFacts: Facts, Hashable {
    /// Printable name of the machine; never used in a command.
    package let words: String
    /// Its version of Huddle.
    package let version: ProgramVersion?
    /// This machine's version.
    package let ownVersion: ProgramVersion?
    /// Seconds by which its clock is ahead.
    package let secondsAhead: Int64?
    /// True if this machine's clock is synchronised; nil if that is unknown.
    package let isClockKept: Bool?

    package init(
        _ words: String,
        version: ProgramVersion?,
        ownVersion: ProgramVersion?,
        secondsAhead: Int64?,
        isClockKept: Bool?
    ) {
        (self.words, self.version, self.ownVersion) = (words, version, ownVersion)
        (self.secondsAhead, self.isClockKept) = (secondsAhead, isClockKept)
    }

    /// Tolerance for clocks that are set by hand, and for the time of the response.
    private static let tolerance: Int64 = 120

    package var findings: [Finding] { [clock, program].compactMap(\.self) }

    private var clock: Finding? {
        guard let secondsAhead, secondsAhead.magnitude > Self.tolerance.magnitude else { return nil }
        let fix = "sudo timedatectl set-ntp true"
        let there = "\(fix)    # on the other machine"
        return .warning(
            .clock,
            "\(words)'s clock is \(ClockFacts.span(secondsAhead)) \(secondsAhead < 0 ? "behind" : "ahead")",
            why: "times of versions and in the log mislead; the order of versions does not depend on them"
                + (isClockKept == true ? "" : "; this machine can't determine which of the two clocks is wrong"),
            fix: isClockKept == true ? [there] : [fix, there]
        )
    }

    private var program: Finding? {
        guard let version, let ownVersion, version != ownVersion else { return nil }
        let (isOlder, update) = (version.isOlder(than: ownVersion), "sudo apt install ./huddle_*.deb")
        return .warning(
            .version,
            "\(words) runs huddle \(version), and this machine \(ownVersion)",
            why: "they understand each other, but features of the newer one are missing on the other; "
                + "install the newer package, or the newer archive with ./install, on the older machine",
            fix: isOlder.map {
                [update + ($0 ? "    # the newer, on the other machine" : "    # the newer, on this machine")]
            }
                ?? ["huddle --version    # on both machines; then the newer on both"]
        )
    }
}
