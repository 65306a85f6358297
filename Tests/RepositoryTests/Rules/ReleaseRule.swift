/// One version and one day: the program, CHANGELOG.md and debian/changelog name the same release.
enum ReleaseRule {
    struct Release: Equatable {
        let version: String
        /// Such as `2026-11-27`.
        let day: String?
    }

    static func version(ofProgram source: String) -> String? {
        source.firstMatch(of: #/static let version = developers \?\? "([^"]+)"/#).map { String($0.1) }
    }

    /// The newest release of a changelog in the form of keepachangelog.com.
    static func newest(inChangelog text: String) -> Release? {
        text.firstMatch(of: #/\n## \[([0-9][^\]]*)\] - (\d{4}-\d{2}-\d{2})\n/#).map {
            Release(version: String($0.1), day: String($0.2))
        }
    }

    /// The newest release of Debian's changelog, whose days read `Fri, 27 Nov 2026 12:00:00 +0000`.
    static func newest(inDebian text: String) -> Release? {
        guard let head = text.firstMatch(of: #/^huddle \(([^)]+)\) /#) else { return nil }
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let day = text.firstMatch(of: #/\n -- .*>  \w{3}, (\d{2}) (\w{3}) (\d{4}) .* \+0000\n/#).flatMap { match in
            months.firstIndex(of: String(match.2)).map { month in
                "\(match.3)-\(month < 9 ? "0" : "")\(month + 1)-\(match.1)"
            }
        }
        return Release(version: String(head.1), day: day)
    }

    static func faults(program: String, changelog: String, debian: String) -> [String] {
        guard let version = version(ofProgram: program) else { return ["the program names no version"] }
        guard let newest = newest(inChangelog: changelog) else { return ["CHANGELOG.md names no release"] }
        var faults: [String] = []
        if newest.version != version {
            faults.append("the program is \(version) and the newest release in CHANGELOG.md is \(newest.version)")
        }
        if Self.newest(inDebian: debian) != newest {
            faults.append(
                "debian/changelog begins with another version or day than \(newest.version), \(newest.day ?? "")"
            )
        }
        if !changelog.contains("\n## [Unreleased]\n") {
            faults.append("CHANGELOG.md has no section “[Unreleased]”")
        }
        return faults
    }
}
