package import Vocabulary

/// What another machine says of itself, beside what is so here.
package struct AccountFacts: Facts, Hashable {
    /// Which machine, as it is shown; never in a command.
    package let words: String
    /// Which huddle is there.
    package let version: ProgramVersion?
    /// Which is here.
    package let ownVersion: ProgramVersion?
    /// By how many seconds the clock there is ahead of the one here.
    package let secondsAhead: Int64?
    /// Whether the kernel here is told the time from outside; nil where it does not say.
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

    /// Less comes of clocks that are set by hand, and of the way that the answer took.
    private static let tolerance: Int64 = 120

    package var findings: [Finding] { [clock, program].compactMap(\.self) }

    private var clock: Finding? {
        guard let secondsAhead, secondsAhead.magnitude > Self.tolerance.magnitude else { return nil }
        let mend = "sudo timedatectl set-ntp true"
        let there = "\(mend)    # on the other machine"
        return .warning(
            .clock,
            "\(words)'s clock is \(ClockFacts.span(secondsAhead)) \(secondsAhead < 0 ? "behind" : "ahead")",
            why: "times beside versions and in the log mislead; which version is newer does not depend on them"
                + (isClockKept == true ? "" : "; which of the two clocks is wrong can't be told from here"),
            mend: isClockKept == true ? [there] : [mend, there]
        )
    }

    private var program: Finding? {
        guard let version, let ownVersion, version != ownVersion else { return nil }
        let (isOlder, bring) = (version.isOlder(than: ownVersion), "sudo apt install ./huddle_*.deb")
        return .warning(
            .version,
            "\(words) runs huddle \(version), and this machine \(ownVersion)",
            why: "they understand each other, but what only the newer one can do is missing on the other; "
                + "there is a newer package, or a newer archive with ./install, for the older machine",
            mend: isOlder.map {
                [bring + ($0 ? "    # the newer, on the other machine" : "    # the newer, on this machine")]
            }
                ?? ["huddle --version    # on both machines; then the newer on both"]
        )
    }
}
