public import Vocabulary

/// A failure to store a manifest. The lists that were stored before stay.
public struct ManifestFailure: ExplainedError, Hashable {
    /// The stable code for programs.
    public let code: ErrorCode
    /// The failure, and its reason.
    public let message: String
    /// The remedy, in the imperative.
    public let nextStep: String

    private init(_ code: ErrorCode, _ message: String, _ nextStep: String) {
        (self.code, self.message, self.nextStep) = (code, message, nextStep)
    }

    static func unreadable(_ source: String, _ reason: String) -> ManifestFailure {
        ManifestFailure(
            "games.manifest-unreadable",
            "\(shown(source)) can't be read: \(PrintableText(prose: reason, limit: 300))",
            "give the path of a manifest.yaml, or its address"
        )
    }

    static func malformed(_ source: String, _ failure: YAMLFailure) -> ManifestFailure {
        ManifestFailure(
            "games.manifest-malformed",
            "\(shown(source)) is not a manifest of games: \(failure)",
            "give a manifest.yaml as Ludusavi has it"
        )
    }

    static func empty(_ source: String) -> ManifestFailure {
        ManifestFailure(
            "games.manifest-empty",
            "\(shown(source)) names no game that saves where Huddle looks",
            "give a manifest.yaml as Ludusavi has it"
        )
    }

    static func notKept(_ reason: String) -> ManifestFailure {
        ManifestFailure(
            "games.list-not-kept",
            "the list of games can't be written: \(PrintableText(prose: reason, limit: 300))",
            "make room on the disk and let this user write to the folder, then run this again"
        )
    }

    static let noCurl = ManifestFailure(
        "games.no-curl",
        "nothing was fetched: the program curl is not there",
        "install curl, or fetch the file with a browser and run: huddle games update FILE"
    )

    static func notFetched(_ source: String, _ reason: String) -> ManifestFailure {
        ManifestFailure(
            "games.not-fetched",
            "\(shown(source)) was not fetched: \(PrintableText(prose: reason, limit: 300))",
            "check the address and the network, then run this again"
        )
    }

    static func badAddress(_ source: String) -> ManifestFailure {
        ManifestFailure(
            "games.bad-address",
            "\(shown(source)) is not an address that Huddle fetches from",
            "give one that begins with https:// or http://"
        )
    }

    private static func shown(_ source: String) -> String { "“\(PrintableText(source, limit: 300))”" }
}
